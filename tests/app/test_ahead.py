import threading

from dashboard.ahead import Ahead


def test_a_value_is_made_once_and_kept():
    made = []
    kept = Ahead(2)
    for _ in range(3):
        assert kept.get("a", lambda: made.append("a") or "drawing") == "drawing"
    assert made == ["a"]


def test_the_oldest_makes_room():
    kept = Ahead(2)
    for key in "abac":
        kept.get(key, lambda key=key: key.upper())
    made = []
    kept.get("a", lambda: made.append("a"))
    kept.get("b", lambda: made.append("b"))
    assert made == ["b"]


def test_what_was_prepared_is_at_hand():
    done = threading.Event()
    kept = Ahead(2)

    def make():
        done.set()
        return "drawn ahead"

    kept.prepare("next", make)
    assert done.wait(5)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon and thread.name.endswith("(get)"):
            thread.join(5)
    assert kept.get("next", lambda: "drawn now") == "drawn ahead"
    kept.prepare("next", lambda: "drawn again")
    assert kept.get("next", lambda: "drawn now") == "drawn ahead"
