"""A run of the page may begin while the callback of the one before still writes; what both decide is decided once."""

from threading import Thread
from time import sleep

from dashboard import decide, state

from tests.app.desk import FakeLedger, Table
from tests.app.reviews import story


class SlowLedger(FakeLedger):
    """Takes its time to write, as git does on a busy machine."""

    def append(self, entries, contents):
        sleep(0.05)
        super().append(entries, contents)


def test_the_same_press_handled_by_two_runs_at_once_is_written_once(monkeypatch):
    table = Table(story(), SlowLedger())
    table.install(monkeypatch)
    for name in ("notify", "remember_done", "go"):
        monkeypatch.setattr(state, name, lambda *_, **__: None)
    monkeypatch.setattr(state, "has_been_seen", lambda *_: True)
    monkeypatch.setattr(state, "typed", lambda _: "")
    pair = table.review.pairs[0]
    about = decide.About(pair.path, pair.digest, "", ())
    runs = [Thread(target=decide.act, args=("approve", about)) for _ in range(4)]
    runs += [Thread(target=decide.act_on_all, args=("approve", [(pair.path, pair.digest)], "")) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert [entry.verdict for entry in table.ledger.written] == ["approve"]
