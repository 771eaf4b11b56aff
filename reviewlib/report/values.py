"""Recorded values in the words of JSON."""

import math

from reviewlib.model.change import Absent
from reviewlib.model.frozen import Plain

_PRINTED_BITS = 14_000
"""Python prints no integer of more than 4,300 decimal digits."""


def plain(value: Plain) -> Plain:
    """Put a recorded value into words that JSON has: bytes become their size, NaN and infinities their name, an integer that
    Python refuses to print hexadecimal, and ``Absent`` null.
    """
    match value:
        case Absent():
            return None
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case bytes():
            return {"bytes": len(value)}
        case int() | float():
            return _number(value)
        case _:
            return value


def _number(value: float) -> float | str:
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value.bit_length() <= _PRINTED_BITS else hex(value)
