import pytest
from dashboard.inert import escaped, one_line, visible


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("a\x00b", "a␀b"),
        ("over\rwritten", "over␍written"),
        ("\x7f", "␡"),
        ("\x85", "⟨U+0085⟩"),
        ("pay \u202e93$", "pay ⟨U+202E⟩93$"),
        ("\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("\ufeffbom", "⟨U+FEFF⟩bom"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("lone \ud800", "lone ⟨U+D800⟩"),
    ],
)
def test_what_hides_or_reorders_is_shown(hidden, shown):
    assert visible(hidden) == shown


@pytest.mark.parametrize("text", ["plain", "tab\tand\nline", "Grüße 日本語 👩‍💻", "$39.00 → $390.00"])
def test_ordinary_text_stays_as_it_is(text):
    assert visible(text) == text


def test_a_windows_line_end_is_a_line_end():
    assert visible("a\r\nb") == "a\nb"


def test_markup_is_text():
    assert escaped("<img src=x onerror='a'>\"&") == "&lt;img src=x onerror=&#x27;a&#x27;&gt;&quot;&amp;"


def test_what_is_shown_can_be_sent_to_a_browser():
    escaped("".join(chr(code) for code in range(0x20000) if code % 7 == 0 or 0xD800 <= code < 0xE000)).encode("utf-8")


@pytest.mark.parametrize(
    ("text", "line"),
    [("two\nlines", "two lines"), ("x" * 12, "x" * 10 + "…"), (" padded ", "padded"), ("", ""), ("a" * 10, "a" * 10)],
)
def test_one_line_is_one_line_and_says_when_it_is_cut(text, line):
    assert one_line(text, 10) == line


def test_one_line_of_a_huge_text_looks_at_its_beginning_only():
    assert one_line(" " * 1_000 + "late", 10) == "…"
