"""What the documentation says is what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from reviewlib.formats import FALLBACK, FORMATS
from reviewlib.policy import Policy
from reviewlib.providers import PROVIDERS
from tests.documentation import BLOCKS, DOCS, written

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("name", BLOCKS)
def test_formats_and_providers_are_described_in_their_own_words(name):
    assert written(name) == BLOCKS[name](), "run: python -m tests.documentation"


def test_every_format_and_provider_says_what_it_is_in_whole_sentences():
    for item in (*FORMATS, FALLBACK, *PROVIDERS):
        assert len(item.summary) > 60, item.name
        assert item.summary.endswith("."), item.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_architecture_says_what_every_module_and_package_is_for():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    own = [path for path in (ROOT / "reviewlib").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    names = {f"{path.name}/" if path.is_dir() else path.name for path in own} - {"__init__.py"}
    assert [name for name in sorted(names) if f"`{name}`" not in page and f"`reviewlib/{name}`" not in page] == []


def test_every_setting_that_the_readme_shows_is_one():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.partition("[tool.cassette-review]\n")[2].partition("```")[0]
    keys = re.findall(r"^(\w+) =", block, re.MULTILINE)
    assert len(keys) >= 4
    assert set(keys) <= set(Policy.model_fields)


def test_every_command_that_the_readme_shows_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"cassette-review (\w+)", text)) - {"reads"}
    printed = subprocess.run(
        [sys.executable, "-c", "from reviewlib.cli import main; main()", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    assert shown
    assert [command for command in sorted(shown) if command not in printed] == []


def test_the_readme_has_every_command_in_its_table():
    from reviewlib import cli

    table = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("| command | what it does |")[2].partition("\n\n")[0]
    )
    named = {name for row in table.splitlines() for name in re.findall(r"`([a-z]+)`", row)}
    assert [name for _, name, _, _ in cli.COMMANDS if name not in named] == []
    assert named <= {name for _, name, _, _ in cli.COMMANDS} | {"reviews"}


def test_the_table_of_recorders_marks_no_cell_as_wrong():
    assert "✗" not in DOCS.read_text(encoding="utf-8")
