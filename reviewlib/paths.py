"""Where the parts that are not Python modules lie: beside the package in a checkout, inside it in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def app_dir() -> Path:
    """Find the folder of the dashboard, with its ``main.py`` and ``.streamlit``."""
    return _beside_or_inside("app", "_app", "main.py")


def samples_dir() -> Path:
    """Find the folder of the sample scenarios, one folder each."""
    return _beside_or_inside("sample_cassettes", "_samples", "README.md")


def _beside_or_inside(checkout: str, wheel: str, member: str) -> Path:
    """Let the checkout go first: an editable install leaves an outdated copy inside the package (hatchling copies it once)."""
    beside = _PACKAGE.parent / checkout
    if (_PACKAGE.parent / "pyproject.toml").is_file() and (beside / member).is_file():
        return beside
    return _PACKAGE / wheel
