"""Google's dialect: parts of every kind, requests in both spellings, and the ways in which an answer ends."""

import json

import pytest

from reviewlib.model.call import CallPart, ResultPart
from reviewlib.providers import read_call
from tests.providers.bodies import answered, brief, exchange, must_read, sent, sse
from tests.providers.dialects import GEMINI_ANSWER, GEMINI_CALL, GEMINI_EVENTS, GEMINI_REQUEST, URLS, gemini_answer

CODE = {"executableCode": {"id": "e1", "language": "PYTHON", "code": "print(1)"}}
RAN = {"codeExecutionResult": {"id": "e1", "outcome": "OUTCOME_OK", "output": "1\n"}}
PNG = "iVBORw0KGgo="


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([{"text": "a"}, {"text": "b"}], ["a", "b"]),
        ([{"text": "hm", "thought": True}, {"text": "a"}], [{"hm"}, "a"]),
        ([{"text": "", "thought": True, "thoughtSignature": "s"}], [{None}]),
        ([{"text": "", "thoughtSignature": "s"}, {"thoughtSignature": "s"}], []),
        ([GEMINI_CALL], [("get_order", {"order_id": "7"})]),
        ([{"functionCall": {"name": "now"}}], [("now", {})]),
        ([{"function_call": {"name": "f", "args": {"order_id": 1}}}], [("f", {"order_id": 1})]),
        ([{"inlineData": {"mimeType": "image/png", "data": PNG}}], [("image/png", 8, "4c4b6a3be1314ab8", None)]),
        ([{"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a"}}], [("video/mp4", None, None, "gs://a")]),
        ([CODE, RAN, {"text": "1"}], [("code_execution", {"language": "PYTHON", "code": "print(1)"}), "1"]),
        ([RAN], [("->", "1\n")]),
        ([{"novelty": {"a": 1}, "thoughtSignature": "s"}], ['{"novelty": {"a": 1}}']),
    ],
)
def test_parts(parts, expected):
    assert brief(answered(gemini_answer(*parts)).parts) == expected


@pytest.mark.parametrize(("outcome", "is_error"), [("OUTCOME_OK", False), ("OUTCOME_FAILED", True)])
def test_code_that_google_runs_has_its_result_in_the_same_answer(outcome, is_error):
    ran = {"codeExecutionResult": {"outcome": outcome, "output": '{"a": 1}'}}
    (part,) = answered(gemini_answer(CODE, ran)).parts
    assert isinstance(part, CallPart)
    assert (part.server_side, part.result, part.result_recorded, part.is_error) == (True, {"a": 1}, True, is_error)


def test_a_tool_that_google_runs_under_another_name_has_its_result_too():
    asked = {"toolCall": {"id": "t", "toolType": "URL_CONTEXT", "args": {"urls": ["u"]}}}
    told = {"toolResponse": {"id": "t", "toolType": "URL_CONTEXT", "response": {"ok": True}}}
    (part,) = answered(gemini_answer(asked, told)).parts
    assert isinstance(part, CallPart)
    assert (part.tool, part.arguments, part.result) == ("url_context", {"urls": ["u"]}, {"ok": True})


def test_a_search_is_a_call_that_google_ran_with_the_pages_it_found():
    redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC"
    pages = [{"web": {"title": "a.test", "uri": redirect}}, {"web": {"title": "b.test", "uri": "https://b.test"}}]
    grounding = {"webSearchQueries": ["weather"], "groundingChunks": pages}
    answer = gemini_answer({"text": "Sunny."})
    answer["candidates"][0]["groundingMetadata"] = grounding
    search, words = answered(answer).parts
    assert isinstance(search, CallPart)
    assert (search.tool, search.arguments, search.server_side) == ("google_search", {"queries": ["weather"]}, True)
    assert search.result == [{"title": "a.test"}, {"title": "b.test", "uri": "https://b.test"}]
    assert brief((words,)) == ["Sunny."]
    assert answered(answer).stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("finish", "parts", "expected", "raw"),
    [
        ("STOP", [{"text": "x"}], "end_turn", "STOP"),
        ("STOP", [GEMINI_CALL], "tool_use", "STOP"),
        ("STOP", [CODE, RAN], "end_turn", "STOP"),
        (1, [{"text": "x"}], "end_turn", "STOP"),
        (2, [{"text": "x"}], "max_tokens", "MAX_TOKENS"),
        (9, [], "other", "9"),
        ("MAX_TOKENS", [], "max_tokens", "MAX_TOKENS"),
        ("SAFETY", [], "content_filter", "SAFETY"),
        ("PROHIBITED_CONTENT", [], "content_filter", "PROHIBITED_CONTENT"),
        ("RECITATION", [], "content_filter", "RECITATION"),
        ("MODEL_ARMOR", [], "content_filter", "MODEL_ARMOR"),
        ("OTHER", [], "other", "OTHER"),
        ("UNEXPECTED_TOOL_CALL", [GEMINI_CALL], "other", "UNEXPECTED_TOOL_CALL"),
        (None, [{"text": "x"}], None, None),
    ],
)
def test_how_an_answer_ends(finish, parts, expected, raw):
    response = answered(gemini_answer(*parts, finish=finish))
    assert (response.stop_reason, response.stop_reason_raw, response.error) == (expected, raw, None)


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
@pytest.mark.parametrize(("told", "error"), [({"finishMessage": "print(f())"}, "print(f())"), ({}, None)])
def test_a_call_that_was_not_let_through_is_a_failure(reason, told, error):
    answer = {"candidates": [{"content": {}, "finishReason": reason} | told]}
    response = answered(answer)
    assert (response.stop_reason, response.stop_reason_raw, response.error) == ("error", reason, error or reason)


def test_thoughts_alone_do_not_make_it_an_answer():
    response = answered(gemini_answer({"text": "hm", "thought": True}, finish="MALFORMED_FUNCTION_CALL"))
    assert (brief(response.parts), response.error) == ([{"hm"}], "MALFORMED_FUNCTION_CALL")


@pytest.mark.parametrize("recorded", [lambda body: {"answer": body}, lambda body: {"answer": sse([body])}])
def test_a_blocked_prompt_is_filtered(recorded):
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 4}}
    response = answered(**recorded(blocked))
    assert (response.stop_reason, response.stop_reason_raw) == ("content_filter", "PROHIBITED_CONTENT")
    assert (response.parts, response.error, response.complete) == ((), None, True)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"promptTokenCount": 5, "candidatesTokenCount": 3, "totalTokenCount": 8}, (5, 3, None, None)),
        (
            {"promptTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 2, "totalTokenCount": 10},
            (5, 5, None, 2),
        ),
        (
            {"promptTokenCount": 5, "responseTokenCount": 3, "thoughtsTokenCount": 2, "totalTokenCount": 8},
            (5, 3, None, 2),
        ),
        ({"promptTokenCount": 5, "toolUsePromptTokenCount": 4, "candidatesTokenCount": 1}, (9, 1, None, None)),
        ({"promptTokenCount": 5, "cachedContentTokenCount": 4, "candidatesTokenCount": 1}, (5, 1, 4, None)),
        ({"promptTokenCount": 5, "thoughtsTokenCount": 2, "totalTokenCount": 7}, (5, 2, None, 2)),
        ({"promptTokenCount": 5, "totalTokenCount": 5}, (5, 0, None, None)),
        ({"promptTokenCount": 5}, (5, None, None, None)),
        ({"prompt_token_count": 5, "candidates_token_count": 3}, (5, 3, None, None)),
    ],
)
def test_tokens(usage, expected):
    counted = answered(gemini_answer({"text": "x"}, usageMetadata=usage)).usage
    assert counted is not None
    assert (
        counted.input_tokens,
        counted.output_tokens,
        counted.cache_read_tokens,
        counted.reasoning_tokens,
    ) == expected


def test_without_counts_the_usage_is_unknown():
    assert answered(gemini_answer({"text": "x"})).usage is None


# -- streams ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "recorded",
    [
        {"answer": GEMINI_EVENTS},
        {"answer": json.dumps(GEMINI_EVENTS)},
        {"answer": json.dumps(GEMINI_EVENTS, indent=1).encode()},
        {"chunks": [json.dumps(GEMINI_EVENTS)[:90], json.dumps(GEMINI_EVENTS)[90:]]},
        {"answer": sse([{"response": event} for event in GEMINI_EVENTS])},
    ],
    ids=["array", "array text", "array bytes", "array pieces", "code assist"],
)
def test_a_stream_that_is_no_event_stream_reads_the_same(recorded):
    assert answered(**recorded) == answered(GEMINI_ANSWER)


def test_thoughts_and_words_are_joined_apart():
    events = [
        gemini_answer(part, finish=None) for part in ({"text": "h", "thought": True}, {"text": "m", "thought": True})
    ]
    events += [gemini_answer({"text": "a"}, finish=None), gemini_answer({"text": "b"})]
    assert brief(answered(sse(events)).parts) == [{"hm"}, "ab"]


def test_candidates_of_a_stream_are_told_apart_by_index():
    one, two = gemini_answer({"text": "a"}), gemini_answer({"text": "b"})
    two["candidates"][0]["index"] = 1
    assert brief(answered(sse([two, one])).parts) == ["a", "b"]


def test_an_error_in_a_stream_is_the_failure_of_the_call():
    response = answered(sse([*GEMINI_EVENTS[:2], {"error": {"code": 503, "message": "overloaded"}}]))
    assert (response.error, brief(response.parts)) == ("overloaded", ["One mo"])


# -- requests ---------------------------------------------------------------------------------------------------------------


def test_both_spellings_are_the_same_request():
    snake = {
        "system_instruction": {"parts": [{"text": GEMINI_REQUEST["systemInstruction"]["parts"][0]["text"]}]},
        "contents": GEMINI_REQUEST["contents"],
        "tools": {"function_declarations": GEMINI_REQUEST["tools"][0]["functionDeclarations"]},
    }
    assert sent(snake, url=URLS["gemini"]) == sent(GEMINI_REQUEST, url=URLS["gemini"])


@pytest.mark.parametrize(
    ("url", "model", "stream"),
    [
        ("https://g.test/v1beta/models/gemini-x:generateContent", "gemini-x", False),
        ("https://g.test/v1beta/models/gemini-x:streamGenerateContent?alt=sse", "gemini-x", True),
        (
            "https://v.test/v1/projects/p/locations/l/publishers/google/models/gemini-x:streamGenerateContent",
            "gemini-x",
            True,
        ),
        ("https://c.test/v1internal:generateContent", None, False),
    ],
)
def test_the_model_and_the_stream_are_in_the_url(url, model, stream):
    request = sent(GEMINI_REQUEST, url=url)
    assert (request.model, request.stream) == (model, stream)


def test_a_model_in_the_body_is_named_as_in_the_url():
    assert sent(GEMINI_REQUEST | {"model": "models/gemini-y"}, url=URLS["gemini"]).model == "gemini-y"


def test_function_responses_are_results_of_the_calls_of_that_name():
    contents = [
        {"role": "user", "parts": [{"text": "Q"}]},
        {"role": "model", "parts": [GEMINI_CALL, {"functionCall": {"id": "c2", "name": "now"}}]},
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "get_order", "response": {"status": "shipped"}}},
                {"functionResponse": {"id": "c2", "name": "now", "response": {"error": "no clock"}}},
                {"text": "Go on."},
            ],
        },
    ]
    user, assistant, tool, later = sent({"contents": contents}).messages
    assert [message.role for message in (user, assistant, tool, later)] == ["user", "assistant", "tool", "user"]
    assert tool.parts == (
        ResultPart(call_id=None, tool="get_order", result={"status": "shipped"}),
        ResultPart(call_id="c2", tool="now", result={"error": "no clock"}, is_error=True),
    )


@pytest.mark.parametrize(("name", "tool"), [("get_order", "get_order"), ("call_cf745b87", None)])
def test_a_response_that_names_no_called_function_belongs_to_a_call_by_order_alone(name, tool):
    answer = {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {"a": 1}}}]}
    request = sent({"contents": [{"role": "model", "parts": [GEMINI_CALL]}, answer]})
    assert request.messages[1].parts == (ResultPart(call_id=None, tool=tool, result={"a": 1}),)


def test_a_response_with_a_picture_has_its_digest():
    response = {
        "name": "shot",
        "response": {"ok": 1},
        "parts": [{"inline_data": {"mime_type": "image/png", "data": PNG}}],
    }
    (part,) = sent({"contents": [{"role": "user", "parts": [{"function_response": response}]}]}).messages[0].parts
    assert isinstance(part, ResultPart)
    assert part.result[0] == {"ok": 1}
    assert (part.result[1]["media_type"], part.result[1]["size"]) == ("image/png", 8)


def test_parameters_are_what_is_neither_read_nor_billing():
    request = sent(GEMINI_REQUEST | {"generationConfig": {"topK": 3}, "labels": {"team": "x"}, "cachedContent": "c/1"})
    assert request.parameters == {"generationConfig": {"topK": 3}, "cachedContent": "c/1"}


def test_tools_of_google_are_offered_by_name():
    tools = [
        {"googleSearch": {}},
        {"code_execution": {}},
        {"functionDeclarations": [{"name": "f", "parametersJsonSchema": {"type": "object"}}]},
    ]
    offered = sent(GEMINI_REQUEST | {"tools": tools}).tools
    assert [(tool.name, tool.schema_) for tool in offered] == [
        ("googleSearch", None),
        ("codeExecution", None),
        ("f", {"type": "object"}),
    ]


@pytest.mark.parametrize("verb", ["embedContent", "batchEmbedContents", "countTokens", "predict"])
def test_other_methods_of_a_model_are_other_traffic(verb):
    url = f"https://g.test/v1beta/models/m:{verb}"
    assert read_call(exchange({"instances": []}, {"predictions": []}, url=url, status=200)) is None
    if verb != "predict":
        assert read_call(exchange(GEMINI_REQUEST, {"totalTokens": 4}, url=url, status=200)) is None


def test_a_failure_wrapped_in_a_list_is_read():
    error = [{"error": {"code": 429, "message": "Quota", "status": "RESOURCE_EXHAUSTED"}}]
    call = must_read(GEMINI_REQUEST, error, url=URLS["gemini"], status=429)
    assert call.response is not None
    assert call.response.error == "Quota"
