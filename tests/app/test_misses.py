import json

import pytest
from dashboard import misses

from reviewlib.errors import UsageError
from reviewlib.model.cassette import Cassette, Exchange, Request, ToolExecution


def body(text, model="gpt-5", **more):
    return {"model": model, "messages": [{"role": "user", "content": text}], **more}


def cassette(*bodies, method="POST"):
    requests = [Request(method=method, uri="https://api.example.org/v1", body=one) for one in bodies]
    exchanges = [Exchange(index=number, request=one, response=None) for number, one in enumerate(requests)]
    return Cassette(
        path="a.json", content="0", format="vcrpy", interactions=(*exchanges, ToolExecution(index=99, tool="t"))
    )


def test_the_nearest_recorded_request_comes_first_with_the_paths_that_differ():
    held = cassette(body("Refund 1"), body("Refund 4471", temperature=0), body("Something else", model="o3"))
    near = misses.nearest(held, misses.asked(json.dumps(body("Refund 4472", temperature=0))))
    assert near[0].interaction == 1
    assert [detail.path for detail in near[0].details] == ["body.messages[0].content"]
    assert near[0].name == "POST https://api.example.org/v1 gpt-5"


def test_an_equal_request_differs_nowhere():
    (near,) = misses.nearest(cassette(body("Hi")), misses.asked(json.dumps(body("Hi"))))
    assert near.details == ()
    assert near.likeness == 1


def test_a_part_that_was_not_pasted_is_not_compared():
    held = cassette(body("Hi"))
    (near,) = misses.nearest(held, misses.asked(json.dumps({"method": "GET", "body": body("Hi")})))
    assert [detail.path for detail in near.details] == ["method"]


def test_a_body_that_is_text_in_the_paste_is_decoded():
    pasted = json.dumps({"url": "https://api.example.org/v1", "body": json.dumps(body("Hi"))})
    (near,) = misses.nearest(cassette(body("Hi")), misses.asked(pasted))
    assert near.details == ()


@pytest.mark.parametrize("text", ["", "curl -X POST", '{"a": ', "[" * 100_000])
def test_what_is_no_json_says_where_it_stops(text):
    with pytest.raises(UsageError, match="This is no JSON"):
        misses.asked(text)


def test_a_paste_without_end_is_refused():
    with pytest.raises(UsageError, match="characters"):
        misses.asked(" " * 5_000_001)


def test_secrets_of_the_paste_are_masked():
    asked = misses.asked(json.dumps({"api_key": "sk-ant-api03-" + "a" * 80, "model": "x"}))
    assert "sk-ant" not in json.dumps(asked)


def test_a_cassette_without_requests_has_none_to_show():
    held = Cassette(
        path="a", content="0", format="fp-list", interactions=(Exchange(index=0, request=None, response=None),)
    )
    assert misses.recorded_requests(held) == ()
    assert misses.nearest(held, {"body": {}}) == ()


def test_at_most_three_are_shown():
    held = cassette(*(body(f"Refund {number}") for number in range(9)))
    assert len(misses.nearest(held, misses.asked(json.dumps(body("Refund"))))) == misses.NEAREST
    assert len(misses.recorded_requests(held)) == 9
