"""No page tells a secret that a cassette holds, by whichever of its views."""

import pytest
from dashboard import load
from dashboard.standings import standings
from streamlit.testing.v1 import AppTest

from reviewlib.leaks.marks import digest
from tests.app.desk import Table
from tests.app.reviews import AT
from tests.app.test_pages import MAIN
from tests.planted import samples, secret
from tests.showing import stands_in
from tests.test_planted import DEFAULT_POLICY, reviewed, snapshot

KIND = "npm"


class Planted(Table):
    """A desk whose one pair holds a secret that is new in head, and that has the files it was read from."""

    def desk(self) -> load.Desk:
        known = standings(self.review, self.ledger.written)
        read = load.Read(snapshot=self.snapshot, policy=DEFAULT_POLICY, review=self.review, prices_at=AT)
        return load.Desk(read=read, standings=known, repository=self.repository, title="Refunds", ledger_head="0")


@pytest.fixture(scope="module", params=["prompt", "result", "header"])
def sides(request):
    planted, clean = samples(request.param, secret(KIND)), samples()
    key = next(each for each in planted if each[0] == "har" and planted[each].data != clean[each].data)
    return clean[key], planted[key]


@pytest.fixture
def table(sides, monkeypatch):
    planted = Planted(reviewed(*sides))
    planted.snapshot = snapshot(*sides)
    planted.install(monkeypatch)
    return planted


def everything(app):
    """Whatever the server would send to the browser."""
    return "\n".join(str(element.proto) for element in app.main) + "\n".join(
        str(element.proto) for element in app.sidebar
    )


def page(**params):
    app = AppTest.from_file(str(MAIN), default_timeout=20)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return everything(app)


def test_the_queue_shows_the_pair_and_does_not_tell_it(table):
    (pair,) = table.review.pairs
    shown = page()
    assert pair.path.rpartition("/")[2] in shown
    assert not stands_in(secret(KIND), shown)


@pytest.mark.parametrize("view", ["steps", "unified", "raw", "usage"])
def test_no_view_of_the_pair_tells_it(table, view):
    (pair,) = table.review.pairs
    shown = page(pair=pair.path, view=view)
    assert digest(secret(KIND)) in shown or view == "usage"
    assert not stands_in(secret(KIND), shown)
