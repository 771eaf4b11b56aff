from dashboard.alike import following, kinds, spoken

from reviewlib.model.review import Finding
from tests.app.reviews import ORDER, POLICY, REFUND, broken, conversation, pair

USUAL = ([ORDER], [POLICY], [REFUND], "Done.")
DROPPED = pair("a", conversation(*USUAL), conversation([ORDER], [REFUND], "Done."))


def test_a_pair_is_about_its_gravest_causes():
    assert kinds(DROPPED) == ("tool_removed",)


def test_what_only_follows_from_a_cause_is_not_what_a_pair_is_about():
    reworded = pair("a", conversation(*USUAL), conversation(*USUAL[:3], "It is done.", system="Be brief."))
    assert "text" not in kinds(reworded)
    assert kinds(reworded)[0] == "system_prompt"


def test_new_findings_count_and_known_ones_do_not():
    found = [
        Finding(code=code, severity="error", message="x", since=since)
        for code, since in (("leak", "new"), ("old", "known"))
    ]
    assert kinds(DROPPED.model_copy(update={"findings": tuple(found)})) == ("tool_removed", "leak")


def test_a_pair_without_changes_is_about_its_significance():
    assert kinds(broken("a")) == ("unreadable",)
    assert kinds(pair("a", conversation(*USUAL), conversation(*USUAL))) == ("identical",)


def test_the_next_of_a_kind_is_looked_for_around_the_end():
    known = {"a": ("text",), "b": ("model", "text"), "c": ("model",), "d": ("text",)}
    paths = tuple(known)
    assert [following(path, paths, known, "text") for path in paths] == ["b", "d", "d", "a"]
    assert following("c", paths, known, "model") == "b"
    assert following("a", paths, known, "usage") is None
    assert following("outside", paths, known, "model") == "b"


def test_a_kind_is_spoken_in_words():
    assert (spoken("tool_removed"), spoken("recorded_failure")) == ("tool removed", "recorded failure")
