import pytest

from reviewlib.model_names import family


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt-5-mini", "gpt-5-mini"),
        ("gpt-5-mini-2025-08-07", "gpt-5-mini"),
        ("openai/gpt-5-mini", "gpt-5-mini"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("claude-3-5-sonnet@20240620", "claude-3-5-sonnet"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet"),
        ("gemini-2.0-flash-001", "gemini-2.0-flash"),
        ("gpt-4o", "gpt-4o"),
        ("GPT-4o", "gpt-4o"),
    ],
)
def test_a_family_has_neither_a_date_nor_a_route(name, expected):
    assert family(name) == expected


@pytest.mark.parametrize(
    ("one", "other"), [("gpt-4o", "gpt-4.1"), ("claude-sonnet-4-5", "claude-sonnet-5"), ("gpt-5", "gpt-5-mini")]
)
def test_another_model_is_another_family(one, other):
    assert family(one) != family(other)
