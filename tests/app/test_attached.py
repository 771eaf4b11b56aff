"""What was attached to a run, listed, and shown only where it is a picture."""

import io
from base64 import b64encode
from hashlib import sha256

import pytest
from dashboard import state
from dashboard.attached import Attachment, described, of_pair, of_recording
from dashboard.components.attached import picture
from PIL import Image

from reviewlib import pipeline
from reviewlib.model.call import Media
from reviewlib.model.cassette import Exchange, Request
from reviewlib.model.trajectory import UserMessage
from reviewlib.policy import DEFAULT_POLICY
from tests.app.reviews import AT, ORDER, conversation, recording, review
from tests.app.test_pages import opened, text


def drawn(colour):
    file = io.BytesIO()
    Image.new("RGB", (31, 17), colour).save(file, "PNG")
    return file.getvalue()


TEAL, RED = drawn("teal"), drawn("red")
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'><script>window.pwned=2</script></svg>"


def media(data, media_type="image/png"):
    return Media(media_type=media_type, size=len(data), digest=sha256(data).hexdigest()[:16])


def with_attachments(path, *attached):
    """A recording whose user attached these, and whose request holds their bytes."""
    made = recording(path, conversation([ORDER], "Seen."))
    first = made.conversations[0]
    steps = tuple(
        step.model_copy(update={"media": tuple(media(*one) for one in attached)})
        if isinstance(step, UserMessage)
        else step
        for step in first.steps
    )
    body = {"messages": [{"content": [{"data": b64encode(data).decode()} for data, _ in attached]}]}
    exchange = Exchange(index=0, request=Request(body=body), response=None)
    return made.model_copy(
        update={
            "conversations": (first.model_copy(update={"steps": steps}),),
            "cassette": made.cassette.model_copy(update={"interactions": (exchange,)}),
        }
    )


@pytest.fixture
def pair():
    before = with_attachments("a", (TEAL, "image/png"))
    after = with_attachments(
        "a", (TEAL, "image/png"), (RED, "image/png"), (SVG, "image/svg+xml"), (b"%PDF-1.7", "application/pdf")
    )
    return pipeline.compare(before, after, DEFAULT_POLICY, AT)


def test_each_content_is_listed_once_with_the_sides_that_have_it(pair):
    assert [(one.media.media_type, one.place) for one in of_pair(pair)] == [
        ("image/png", "both sides"),
        ("image/png", "head"),
        ("image/svg+xml", "head"),
        ("application/pdf", "head"),
    ]


def test_what_the_head_has_stands_first():
    before, after = with_attachments("a", (TEAL, "image/png")), with_attachments("a", (RED, "image/png"))
    listed = of_pair(pipeline.compare(before, after, DEFAULT_POLICY, AT))
    assert [(one.place, one.media) for one in listed] == [("head", media(RED)), ("baseline", media(TEAL))]


def test_what_a_tool_returned_is_listed_too():
    shot = media(TEAL)
    called = ("screenshot", {}, ["Here it is.", shot.model_dump(), {"kind": "media", "media_type": ["no", "text"]}])
    assert [one.media for one in of_recording(recording("a", conversation([called], "Seen.")))] == [shot]


def test_an_attachment_is_described_and_never_fetched():
    assert described(media(b"12")) == f"image/png, 2 bytes, sha256 {sha256(b'12').hexdigest()[:16]}"
    assert described(Media(media_type="image", url="https://example.org/a.png")) == "image, https://example.org/a.png"


def test_a_picture_is_shown_from_memory(pair):
    shown = picture(of_pair(pair)[0])
    assert f'src="data:image/png;base64,{b64encode(TEAL).decode()}"' in shown
    assert "31 × 17 pixels" in shown


def test_svg_is_never_a_picture_whatever_it_is_called(pair):
    (svg,) = [one for one in of_pair(pair) if "svg" in one.media.media_type]
    disguised = Attachment(svg.media.model_copy(update={"media_type": "image/png"}), "", svg.cassette)
    for one in (svg, disguised):
        assert "<img" not in picture(one)
        assert "none of PNG, JPEG, GIF or WebP" in picture(one)


def test_a_type_that_carries_markup_does_not_reach_the_page():
    made = with_attachments("a", (TEAL, 'image/"><script>'))
    assert "<script>" not in picture(of_recording(made)[0])


def test_bytes_that_are_not_recorded_are_a_sentence(pair):
    one = of_pair(pair)[0]
    elsewhere = Attachment(one.media, "", one.cassette.model_copy(update={"interactions": ()}))
    assert "not recorded in a form" in picture(elsewhere)


@pytest.mark.usefixtures("table")
def test_a_picture_is_there_only_after_it_was_asked_for(table, pair, monkeypatch):
    monkeypatch.setattr(state, "SETTLE_SECONDS", 0.0)
    table.review = review(pair)
    app = opened(pair="a")
    assert "image/svg+xml, " in text(app)
    assert "<img" not in text(app)
    first, *others = [one for one in app.toggle if one.label == "Show image"]
    assert len(others) == 2  # the PDF is offered nowhere
    first.set_value(True).run()
    assert text(app).count("<img") == 1
