import time

import pytest

from reviewlib.diff import diff
from reviewlib.placeholders import stands_for
from tests.trajectories import T, call, recording, trajectory


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("${workdir}/data.txt", "/home/me/project/data.txt", True),
        ("/home/me/project/data.txt", "${workdir}/data.txt", True),
        ("key [REDACTED] used", "key abc-123 used", True),
        ("key <redacted> used", "key abc-123 used", True),
        ("X-API-KEY-XXX", "whatever", True),
        ("Bearer SCRUBBED", "Bearer 42", True),
        ("[masked:bearer]", "anything", True),
        ("${a}-${b}", "1-2", True),
        ("${a}x", "x", True),
        ("key [REDACTED] used", "key abc-123 lost", False),
        ("${workdir}/data.txt", "/home/me/other.txt", False),
        ("plain", "other", False),
        ("plain", "plain text", False),
        (1, "${a}", True),
        (1, "x${a}", False),
        ({"a": 1}, "[REDACTED]", False),
        ("${a}b${c}b", "b", False),
    ],
)
def test_a_placeholder_stands_for_what_it_replaced(one, other, equal):
    assert stands_for(one, other) is equal


def test_a_text_full_of_placeholders_is_compared_in_no_time():
    start = time.perf_counter()
    assert not stands_for("${a}x" * 5000, "x" * 9000 + "y")
    assert time.perf_counter() - start < 0.5


def test_what_a_placeholder_explains_is_no_change():
    one = trajectory(
        call("view", {"path": "/tmp/x/a.py"}, "read /tmp/x/a.py"), T(text="In /tmp/x."), user="Look in /tmp/x"
    )
    other = trajectory(
        call("view", {"path": "${workdir}/a.py"}, "read ${workdir}/a.py"),
        T(text="In ${workdir}."),
        user="Look in ${workdir}",
    )
    assert diff(recording(one), recording(other), 0.1).changes == ()
    moved = trajectory(
        call("view", {"path": "${workdir}/b.py"}, "read ${workdir}/b.py"),
        T(text="In ${workdir}."),
        user="Look in ${workdir}",
    )
    assert [change.kind for change in diff(recording(one), recording(moved), 0.1).changes] == ["arguments", "result"]
