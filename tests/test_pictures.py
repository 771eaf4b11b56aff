"""Attachments found again by their digest, and what counts as a picture."""

import io
import json
from base64 import b64encode
from hashlib import sha256

import pytest
from PIL import Image

from reviewlib import pictures
from reviewlib.model.call import Media
from reviewlib.model.cassette import Cassette, Exchange, Request, Response, ToolExecution


def drawn(kind, size=(31, 17), **options):
    file = io.BytesIO()
    Image.new("RGB", size, "teal").save(file, kind, **options)
    return file.getvalue()


def media(data, media_type="image/png"):
    return Media(media_type=media_type, size=len(data), digest=sha256(data).hexdigest()[:16])


def cassette(*, request=None, response=None, chunks=None, result=None):
    exchange = Exchange(index=0, request=Request(body=request), response=Response(body=response, chunks=chunks))
    tool = ToolExecution(index=1, tool="screenshot", result=result)
    return Cassette(path="a", content="1", format="vcrpy", interactions=(exchange, tool))


PNG = drawn("PNG")
TEXT = b64encode(PNG).decode()


@pytest.mark.parametrize(
    "recorded",
    [
        cassette(request={"messages": [{"content": [{"source": {"data": TEXT}}]}]}),
        cassette(request={"image_url": {"url": f"data:image/png;base64,{TEXT}"}}),
        cassette(response=PNG),
        cassette(chunks=({"delta": 1}, {"b64_json": TEXT})),
        cassette(result=[{"text": "here"}, {"image": TEXT}]),
        cassette(request={"content": json.dumps({"image": TEXT})}),
    ],
)
def test_an_attachment_is_found_wherever_it_was_recorded(recorded):
    assert pictures.content(recorded, media(PNG)) == PNG


def test_nothing_is_found_that_does_not_hash_to_the_digest():
    other = media(PNG).model_copy(update={"digest": "0" * 16})
    assert pictures.content(cassette(request=[TEXT]), other) is None
    assert pictures.content(cassette(request=[TEXT[:-8]]), media(PNG)) is None


def test_what_lies_elsewhere_has_no_content():
    assert (
        pictures.content(cassette(request=[TEXT]), Media(media_type="image/png", url="https://example.org/a.png"))
        is None
    )


def test_a_value_nested_deeply_is_searched():
    value = [TEXT]
    for _ in range(20_000):
        value = [value]
    assert pictures.content(cassette(result=None, request=value), media(PNG)) == PNG


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (PNG, "image/png"),
        (drawn("JPEG"), "image/jpeg"),
        (drawn("JPEG", progressive=True), "image/jpeg"),
        (drawn("GIF"), "image/gif"),
        (drawn("WEBP"), "image/webp"),
        (drawn("WEBP", lossless=True), "image/webp"),
    ],
)
def test_a_raster_picture_is_told_by_its_bytes_with_its_size(data, media_type):
    found = pictures.picture(data)
    assert found == (media_type, 31, 17)
    assert pictures.refusal(data, found) == ""


def test_a_large_webp_says_its_size_in_an_extended_header():
    file = io.BytesIO()
    frames = [Image.new("RGB", (31, 17), colour) for colour in ("teal", "red")]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:])
    assert pictures.picture(file.getvalue()) == ("image/webp", 31, 17)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"%PDF-1.7",
        b"BM" + bytes(60),
        PNG[:18],
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xe0\x00\x10",
        b"GIF89a",
        b"RIFF....WEBPVP9 " + bytes(20),
        b"\x89PNG\r\n\x1a\n....IHDR" + bytes(16),
        b"<html>" + PNG,
    ],
)
def test_anything_else_is_no_picture(data):
    assert pictures.picture(data) is None
    assert "so it is not shown" in pictures.refusal(data, None)


def test_a_picture_that_a_browser_would_choke_on_is_refused():
    bomb = PNG[:16] + (60_000).to_bytes(4, "big") * 2 + PNG[24:]
    assert "60,000 × 60,000 pixels" in pictures.refusal(bomb, pictures.picture(bomb))
    large = PNG + bytes(pictures.LARGEST)
    assert "bytes, and up to 4,194,304 are shown" in pictures.refusal(large, pictures.picture(large))
