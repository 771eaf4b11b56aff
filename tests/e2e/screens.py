"""Makes the pictures of docs/screens from the demo: ``uv run python -m tests.e2e.screens``."""

import io
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image

from reviewlib.demo import build_demo
from tests.e2e.driving import launched, served, settle

SCREENS = Path(__file__).parents[2] / "docs" / "screens"
REFUND = "tests/cassettes/test_refunds/test_damaged_item[eu].yaml"
PAGES = {
    "queue": "/",
    "pair": f"/?{urlencode({'pair': REFUND})}",
    "groups": "/groups",
    "usage": "/usage",
    "inspect": f"/inspect?{urlencode({'pair': REFUND})}",
}
LARGEST = 150 * 1024
COLOURS = 128
"""Of a palette: a full-colour picture of text is three times as large, and looks the same."""


def main() -> None:
    """Write every page in light and dark, 1280 by 900."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        demo = build_demo(Path(folder) / "support-agents")
        with served(demo.path, demo.revisions) as link, launched() as browser:
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    color_scheme=scheme, viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
                )
                page = context.new_page()
                page.goto(link)
                for name, path in PAGES.items():
                    page.goto(link.partition("/?")[0] + path)
                    settle(page)
                    _write(SCREENS / f"{name}-{scheme}.png", page.screenshot(animations="disabled", caret="hide"))
                context.close()


def _write(file: Path, picture: bytes) -> None:
    small = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        small, "PNG", optimize=True
    )
    if small.tell() > LARGEST:
        sys.exit(f"{file.name} has {small.tell():,} bytes, more than {LARGEST:,}")
    file.write_bytes(small.getvalue())
    sys.stdout.write(f"{file.name} {small.tell():,} bytes\n")


if __name__ == "__main__":
    main()
