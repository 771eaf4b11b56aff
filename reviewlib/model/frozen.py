"""The base of every value: frozen, closed, compared by content."""

from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict

Plain: TypeAlias = Any
"""A decoded value: None, bool, int, float, str, bytes, list of these, or dict with str keys. Never mutated."""


class Frozen(BaseModel):
    """A value. Its fields are tuples and other values, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())
