"""What is true of re-record commits of public repositories, counted from their files with nothing of the product."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.corpus import CORPUS


def rows() -> list[str]:
    """The names of the commits that the corpus describes."""
    table = CORPUS / "public.tsv"
    return (
        [line.split("\t")[0] for line in table.read_text(encoding="utf-8").splitlines()[1:]] if table.is_file() else []
    )


def files(name: str) -> Iterator[tuple[Path, Path]]:
    """The changed files of a commit that both sides have."""
    base = CORPUS / "public" / name / "base"
    for path in sorted(path for path in base.rglob("*") if path.is_file()):
        other = base.parent / "head" / path.relative_to(base)
        if other.is_file():
            yield path, other


@cache
def _tree(path: Path) -> Any:
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


def tools_counted_again(path: Path) -> list[str]:
    """The tools called in a Copilot snapshot, each conversation's repeated beginning counted again."""
    return [name for _, name in _calls(path)]


def tools_counted_once(path: Path) -> list[str]:
    """The tools called in a Copilot snapshot, each call once: its normaliser numbers the ids of calls through the whole file."""
    return list(dict(_calls(path)).values())


def _calls(path: Path) -> Iterator[tuple[str, str]]:
    for conversation in _tree(path)["conversations"]:
        for message in conversation["messages"]:
            if message["role"] == "assistant":
                for call in message.get("tool_calls") or []:
                    yield call["id"], call["function"]["name"]


def models(path: Path) -> list[tuple[str | None, str | None]]:
    """The model asked for and the model that answered, of every interaction of a pydantic-ai cassette."""
    return [(_model(item["request"]), _model(item["response"])) for item in _tree(path)["interactions"]]


def _model(half: dict[str, Any]) -> str | None:
    found = re.search(r"""["']model["']: ?["']([^"']+)""", str(half))
    return found[1] if found else None


def without_claude(path: Path) -> str:
    """The text of a file without the names of Claude models."""
    return re.sub(r"claude-[a-z0-9.-]+", "", path.read_text(encoding="utf-8"))


def gemini_models(path: Path) -> tuple[set[bytes], set[bytes]]:
    """The versions of Gemini that a httprr file asks for, and those that answered."""
    data = path.read_bytes()
    return (
        set(re.findall(rb"models/(gemini-[\d.]+-\w+)", data)),
        set(re.findall(rb'"modelVersion": *"(gemini-[\d.]+-\w+)', data)),
    )


def gemini_answers(path: Path) -> list[bytes]:
    """The candidates of a httprr file, as they are written."""
    return re.findall(rb'"responseId": *"([^"]+)"', path.read_bytes())


def statuses(path: Path) -> Counter[int]:
    """The HTTP statuses of a go-vcr file."""
    return Counter(item["response"]["code"] for item in _tree(path)["interactions"])


def answers(path: Path) -> list[str]:
    """The bodies of the answers of a go-vcr file."""
    return [item["response"]["body"] for item in _tree(path)["interactions"]]


def endpoints(path: Path) -> set[str]:
    """The paths of the addresses of a vcrpy file."""
    return {item["request"]["uri"].rpartition("/v1/")[2] for item in _tree(path)["interactions"]}


def called(path: Path) -> list[tuple[str, str]]:
    """The calls in the answers of a file of chat completions or responses, with canonical arguments."""
    found = []
    for item in _tree(path)["interactions"]:
        body = json.loads(item["response"]["body"]["string"])
        made = [
            call["function"] for choice in body.get("choices", []) for call in choice["message"].get("tool_calls") or []
        ]
        made += [item for item in body.get("output", []) if item["type"] == "function_call"]
        found += sorted((call["name"], json.dumps(json.loads(call["arguments"]), sort_keys=True)) for call in made)
    return found
