"""What a project asks of its agents, by path pattern: tools, their order, the answer, and what a run may take."""

from decimal import Decimal
from typing import Annotated, TypeAlias

from pydantic import Field, StringConstraints

from reviewlib.model.frozen import Frozen

_Word: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Share: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Budget(Frozen):
    """What runs may take; None is no limit.

    ``tokens``: input and output together. ``input_tokens`` and ``output_tokens``: one of them. ``cost``: US dollars, at the prices of the day.
    ``token_growth`` and ``cost_growth``: by which share head may exceed baseline (0.5 is half as much again).
    """

    tokens: Annotated[int, Field(ge=0, strict=True)] | None = None
    input_tokens: Annotated[int, Field(ge=0, strict=True)] | None = None
    output_tokens: Annotated[int, Field(ge=0, strict=True)] | None = None
    cost: Annotated[Decimal, Field(ge=0, allow_inf_nan=False)] | None = None
    token_growth: _Share | None = None
    cost_growth: _Share | None = None


class Rule(Frozen):
    """What holds for the cassettes that ``paths`` names.

    ``forbidden_tools`` are never called, ``required_tools`` are called at least once. ``order``: in each list a tool is called only after the
    one before it was called, in an earlier turn of the same conversation. In the names of tools ``*`` stands for any characters. ``max_steps``:
    tool calls of one conversation. ``must_appear``: texts that the final answer has to hold (a key fact, an id); ``must_not_appear``: texts that
    nothing the model says may hold. Neither minds capitals, spaces, or how a number is written (``39.0`` is ``$39.00``, and not ``$390.00``).
    """

    paths: tuple[_Word, ...] = ("**",)
    forbidden_tools: tuple[_Word, ...] = ()
    required_tools: tuple[_Word, ...] = ()
    order: tuple[Annotated[tuple[_Word, ...], Field(min_length=2)], ...] = ()
    max_steps: Annotated[int, Field(ge=0, strict=True)] | None = None
    must_appear: tuple[_Word, ...] = ()
    must_not_appear: tuple[_Word, ...] = ()
    budget: Budget = Budget()
