"""docs/policy.md: every key there is, with its default, and an example that is run."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from reviewlib.policy import DEFAULT_GLOBS, Budget, Policy, read_policy
from reviewlib.policy.reading import _as_toml, _models
from tests.cli.cassettes import REFUND, cassette
from tests.repositories import build

PAGE = (Path(__file__).parents[1] / "docs" / "policy.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
(SHOWN,) = re.findall(r"```console\n\$ cassette-review check main\.\.\.branch\n(.*?)```", PAGE, re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.+) \|$", re.MULTILINE)


def models(model: type[BaseModel], place: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    """The policy and every table in it, by where it stands."""
    yield place, model
    for name, field in model.model_fields.items():
        for inner in _models(field.annotation):
            yield from models(inner, f"{place}.{name}".lstrip("."))


TABLES = dict(models(Policy))
HEADINGS = {
    "": "Keys",
    "rules": "`[[rules]]`",
    "rules.budget": "`budget` and `[suite]`",
    "suite": "`budget` and `[suite]`",
    "hygiene": "`[hygiene]`",
    "hygiene.schedules": "`[[hygiene.schedules]]`",
}


def rows(place: str) -> dict[str, tuple[str, str]]:
    """The keys that the page tells of a table, each with its default and its meaning."""
    section = re.split(r"^#+ ", PAGE.partition(f"# {HEADINGS[place]}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return {name: (default, meaning) for name, default, meaning in ROW.findall(section)}


@pytest.mark.parametrize("place", TABLES, ids=lambda place: place or "policy")
def test_every_key_of_every_table_is_told_and_no_other(place):
    assert sorted(rows(place)) == sorted(TABLES[place].model_fields)


@pytest.mark.parametrize("place", TABLES, ids=lambda place: place or "policy")
def test_every_default_is_the_one_that_holds(place):
    for name, (default, _) in rows(place).items():
        field = TABLES[place].model_fields[name]
        if field.is_required():
            assert default == "needed", name
        elif field.default is None:
            assert default == "none", name
        elif field.default == DEFAULT_GLOBS:
            assert all(f"`{glob}`" in rows(place)[name][1] for glob in DEFAULT_GLOBS)
        else:
            value = (
                field.default.model_dump(exclude_defaults=True)
                if isinstance(field.default, BaseModel)
                else field.default
            )
            assert default == f"`{_as_toml(value)}`", name


def test_the_example_is_a_policy():
    policy = read_policy(None, EXAMPLE)
    assert policy.rules[0].order == (("get_order", "issue_refund"),)
    assert policy.rules[1].budget == Budget(tokens=10_000, token_growth=0.5)
    assert policy.suite.tokens == 1_000_000


def test_the_example_says_the_same_in_pyproject():
    tables = re.sub(r"^\[(\[?)(\w)", r"[\1tool.cassette-review.\2", EXAMPLE, flags=re.MULTILINE)
    assert read_policy(f"[tool.cassette-review]\n{tables}", None) == read_policy(None, EXAMPLE)


def looked_at_first():
    """The refund of the example as main has it: the order is looked at, and the answer names the amount."""
    recorded = json.loads(cassette(words="I refunded $39.00."))
    call = {"type": "tool_use", "id": "toolu_0", "name": "get_order", "input": {"order": "1234"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_0", "content": "{}"}
    first, last = recorded["interactions"]
    opening = json.loads(json.dumps(first))
    answer = json.loads(opening["response"]["body"]["string"])
    opening["response"]["body"]["string"] = json.dumps(answer | {"content": [call]})
    for each in (first, last):
        body = json.loads(each["request"]["body"])
        asked, *others = body["messages"]
        seen = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        each["request"]["body"] = json.dumps(body | {"messages": [asked, *seen, *others]})
    return json.dumps(recorded | {"interactions": [opening, first, last]})


def test_what_the_page_shows_is_what_the_command_prints(tmp_path, capsys, monkeypatch):
    from reviewlib import cli

    project = build(tmp_path / "project")
    project.commit({"cassette-review.toml": EXAMPLE, REFUND: looked_at_first()})
    project.git("checkout", "--quiet", "-b", "branch")
    project.commit({REFUND: cassette()})
    monkeypatch.chdir(project.root)
    assert cli.run(["check", "main...branch"]) == 1
    named = (
        re.sub(r"\b[0-9a-f]{10}\b", "{}", capsys.readouterr().out).replace("{}", "BASELINE", 1).replace("{}", "HEAD", 1)
    )
    assert named.splitlines()[: len(SHOWN.splitlines())] == SHOWN.splitlines()
