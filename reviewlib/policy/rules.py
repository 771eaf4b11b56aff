"""What a project asks of its agents, by path pattern: tools, their order, the answer, and what a run may take."""

from decimal import Decimal
from typing import Annotated, TypeAlias

from pydantic import Field

from reviewlib.model.frozen import Frozen

_Share: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Budget(Frozen):
    """What runs may take; None is no limit.

    ``tokens``: input and output together, of head. ``input_tokens`` and ``output_tokens``: one of them. ``cost``: US dollars.
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

    ``forbidden_tools`` are never called, ``required_tools`` are called at least once. ``order``: each list names tools in the order in which
    they have to be called, where they are called. ``max_steps``: tool calls of one conversation. ``must_appear``: texts that the
    final answer has to hold (a key fact, an id); ``must_not_appear``: texts that no answer may hold.
    """

    paths: tuple[str, ...] = ("**",)
    forbidden_tools: tuple[str, ...] = ()
    required_tools: tuple[str, ...] = ()
    order: tuple[tuple[str, ...], ...] = ()
    max_steps: Annotated[int, Field(ge=0, strict=True)] | None = None
    must_appear: tuple[str, ...] = ()
    must_not_appear: tuple[str, ...] = ()
    budget: Budget = Budget()
