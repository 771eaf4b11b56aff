"""From the text of ``pyproject.toml`` or ``cassette-review.toml`` to a ``Policy``, and back."""

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import get_args

from pydantic import BaseModel, ValidationError

from reviewlib.errors import PolicyError
from reviewlib.model.frozen import Plain
from reviewlib.policy.project import DEFAULT_POLICY, Policy

POLICY_FILES = ("pyproject.toml", "cassette-review.toml")
"""Where a policy may stand, at the top of the repository."""


def read_policy(pyproject_text: str | None, own_text: str | None) -> Policy:
    """Read the policy of two files' texts (None: there is no such file); the defaults where neither has one.

    Raises:
        PolicyError: not TOML, a policy in both files, an unknown key (named with the nearest known), or a value that does not fit.

    """
    own = None if own_text is None else _toml(own_text, "cassette-review.toml")
    tool = {} if pyproject_text is None else _toml(pyproject_text, "pyproject.toml").get("tool", {})
    shared = tool.get("cassette-review") if isinstance(tool, dict) else None
    if own is not None and shared is not None:
        raise PolicyError(
            "the policy stands twice, in cassette-review.toml and as [tool.cassette-review] in pyproject.toml; keep one"
        )
    if own is not None:
        return _policy(own, "cassette-review.toml")
    if shared is not None:
        return _policy(shared, "[tool.cassette-review] in pyproject.toml")
    return DEFAULT_POLICY


def written(policy: Policy, file: str) -> str:
    """Write a policy as TOML, each rule with where it comes from: ``file``, or the defaults. What has no value is a comment."""
    lines = []
    for name, value in policy.model_dump().items():
        origin = file if name in policy.model_fields_set else "default"
        lines.append(f"# {name} is not set" if value is None else f"{name} = {_as_toml(value)}  # {origin}")
    return "\n".join(lines) + "\n"


def _as_toml(value: Plain) -> str:
    """Write a value in one line; what has no value inside a table is left out."""
    if isinstance(value, dict):
        items = (f"{_key(key)} = {_as_toml(item)}" for key, item in value.items() if item is not None)
        return "{" + ", ".join(items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_as_toml, value)) + "]"
    return str(value) if isinstance(value, Decimal | date) else json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _toml(text: str, name: str) -> dict[str, Plain]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{name} is no valid TOML: {error}") from error


def _policy(table: Plain, place: str) -> Policy:
    if not isinstance(table, dict):
        raise PolicyError(f"{place} is a {type(table).__name__}, and has to be a table")
    try:
        return Policy.model_validate(table)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        unknown = next((item for item in errors if item["type"] == "extra_forbidden"), None)
        if unknown is not None:
            raise PolicyError(f"{place} has an unknown key {_unknown(unknown['loc'])}") from error
        where = ".".join(str(part) for part in errors[0]["loc"])
        raise PolicyError(f"{place}: {where} is {errors[0]['input']!r}: {errors[0]['msg']}") from error


def _unknown(where: tuple[int | str, ...]) -> str:
    """Name a key that no table of the policy has, and the nearest that its table has."""
    *tables, key = map(str, where)
    fields = list(_table(tables).model_fields)
    near = difflib.get_close_matches(key.replace("-", "_"), fields, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(fields)}"
    return f"{'.'.join((*tables, key))!r}; {hint}"


def _table(names: Sequence[str]) -> type[BaseModel]:
    """Find the model of a nested table; the places in a list are skipped."""
    model: type[BaseModel] = Policy
    for name in names:
        field = model.model_fields.get(name)
        model = next(_models(field.annotation), model) if field else model
    return model


def _models(annotation: Plain) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
