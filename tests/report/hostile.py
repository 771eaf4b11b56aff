"""Recorded text that tries to be more than text."""

from reviewlib.model.change import Detail
from reviewlib.model.review import Finding, Side
from tests.reviews import AMOUNT, pair, review

HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202etxt.exe \u2066\u200b\ud800\U000e0041\x9b31m"
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def hostile_review(word):
    return review(
        pair(
            f"tests/{word}.yaml",
            "behaviour",
            (AMOUNT.model_copy(update={"details": (Detail(path=word, baseline=word, head={word: word}),)}),),
            headline=word,
            findings=(Finding(code="c", severity="error", message=word),),
        ),
        baseline=Side(label="c" * 40, commit="c" * 40, revision=word),
        notes=(word,),
    )
