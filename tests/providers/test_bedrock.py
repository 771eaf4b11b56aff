"""Bedrock: Converse in detail, and which reader takes which body of InvokeModel."""

import pytest

from reviewlib.model.call import CallPart, ResultPart
from reviewlib.providers import read_call
from tests.providers.bodies import (
    ANTHROPIC_ANSWER,
    ANTHROPIC_REQUEST,
    CHAT_ANSWER,
    answered,
    brief,
    exchange,
    must_read,
    sent,
    sse,
)
from tests.providers.dialects import CONVERSE_ANSWER, CONVERSE_EVENTS, CONVERSE_REQUEST, URLS, converse_delta
from tests.providers.frames import invoke_stream

PNG = "iVBORw0KGgo="
PICTURE = ("image/png", 8, "4c4b6a3be1314ab8", None)


def _answer(*blocks, **more):
    return CONVERSE_ANSWER | {"output": {"message": {"role": "assistant", "content": list(blocks)}}} | more


def _request(*messages, **more):
    return sent(CONVERSE_REQUEST | {"messages": list(messages)} | more)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"text": "a"}, ["a"]),
        ({"text": ""}, []),
        ({"toolUse": {"toolUseId": "t", "name": "f", "input": {"a": 1}}}, [("f", {"a": 1})]),
        ({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}, [{"hm"}]),
        ({"reasoningContent": {"redactedContent": "c2ln"}}, [{None}]),
        ({"citationsContent": {"content": [{"text": "a"}, {"text": "b"}], "citations": [{}]}}, ["a", "b"]),
        ({"guardContent": {"text": {"text": "a"}}}, ["a"]),
        ({"image": {"format": "png", "source": {"bytes": PNG}}}, [PICTURE]),
        (
            {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://v"}}}},
            [("video/mp4", None, None, "s3://v")],
        ),
        (
            {"document": {"format": "txt", "name": "n", "source": {"text": "abc"}}},
            [("document/txt", 3, "ba7816bf8f01cfea", None)],
        ),
        ({"document": {"source": {"content": [{"text": "abc"}]}}}, [("document/unknown", 3, "ba7816bf8f01cfea", None)]),
        ({"cachePoint": {"type": "default"}}, []),
        ({"novelty": {"a": 1}}, ['{"novelty": {"a": 1}}']),
    ],
)
def test_blocks(block, expected):
    assert brief(answered(_answer(block)).parts) == expected


def test_a_tool_that_bedrock_runs_has_its_result_in_the_same_answer():
    asked = {"toolUse": {"toolUseId": "t", "name": "nova_grounding", "input": {"q": 1}, "type": "server_tool_use"}}
    told = {"toolResult": {"toolUseId": "t", "content": [{"json": {"a": 1}}], "type": "nova_grounding_result"}}
    (part,) = answered(_answer(asked, told)).parts
    assert isinstance(part, CallPart)
    assert (part.server_side, part.result, part.result_recorded) == (True, {"a": 1}, True)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("end_turn", "end_turn"),
        ("tool_use", "tool_use"),
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("guardrail_intervened", "content_filter"),
        ("content_filtered", "content_filter"),
        ("model_context_window_exceeded", "max_tokens"),
        ("malformed_tool_use", "other"),
        ("novelty", "other"),
    ],
)
def test_how_an_answer_ends(raw, expected):
    response = answered(CONVERSE_ANSWER | {"stopReason": raw})
    assert (response.stop_reason, response.stop_reason_raw, response.error) == (expected, raw, None)


def test_a_malformed_call_that_leaves_nothing_behind_is_a_failure():
    response = answered(_answer(stopReason="malformed_model_output"))
    assert (response.stop_reason, response.error) == ("error", "malformed_model_output")


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"inputTokens": 10, "outputTokens": 5}, (10, 5, None, None)),
        ({"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 3, "cacheWriteInputTokens": 4}, (17, 5, 3, 4)),
        ({"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokenCount": 3}, (13, 5, 3, None)),
        ({"outputTokens": 5}, (None, 5, None, None)),
    ],
)
def test_tokens_include_the_cached_ones(usage, expected):
    counted = answered(CONVERSE_ANSWER | {"usage": usage}).usage
    assert counted is not None
    assert (
        counted.input_tokens,
        counted.output_tokens,
        counted.cache_read_tokens,
        counted.cache_write_tokens,
    ) == expected


def test_without_counts_the_usage_is_unknown():
    assert answered(CONVERSE_ANSWER | {"usage": None}).usage is None


def test_reasoning_and_results_are_streamed_too():
    events = [
        converse_delta(0, reasoningContent={"text": "h"}),
        converse_delta(0, reasoningContent={"text": "m"}),
        converse_delta(0, reasoningContent={"signature": "s"}),
        converse_delta(1, reasoningContent={"redactedContent": "x"}),
        {
            "contentBlockStart": {
                "contentBlockIndex": 2,
                "start": {"toolUse": {"toolUseId": "t", "name": "s", "type": "server_tool_use"}},
            }
        },
        converse_delta(2, toolUse={"input": "{}"}),
        {"contentBlockStart": {"contentBlockIndex": 3, "start": {"toolResult": {"toolUseId": "t"}}}},
        converse_delta(3, toolResult=[{"json": {"a": 1}}]),
        converse_delta(4, text="done"),
        {"messageStop": {"stopReason": "end_turn"}},
    ]
    response = answered(sse(events))
    assert brief(response.parts) == [{"hm"}, {None}, ("s", {}), "done"]
    assert isinstance(response.parts[2], CallPart)
    assert response.parts[2].result == {"a": 1}
    assert response.complete


# -- requests ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "status", "expected", "is_error"),
    [
        ([{"text": "sunny"}], "success", "sunny", False),
        ([{"text": '{"a": 1}'}], None, {"a": 1}, None),
        ([{"json": {"a": 1}}], "error", {"a": 1}, True),
        ([{"text": "a"}, {"text": "b"}], None, ["a", "b"], None),
        ([], None, [], None),
    ],
)
def test_results(content, status, expected, is_error):
    result = {"toolResult": {"toolUseId": "t", "content": content} | ({"status": status} if status else {})}
    (message,) = _request({"role": "user", "content": [result]}).messages
    assert message.role == "tool"
    assert message.parts == (ResultPart(call_id="t", result=expected, is_error=is_error),)


def test_a_picture_in_a_result_is_its_digest():
    result = {"toolResult": {"toolUseId": "t", "content": [{"image": {"format": "png", "source": {"bytes": PNG}}}]}}
    (part,) = _request({"role": "user", "content": [result]}).messages[0].parts
    assert isinstance(part, ResultPart)
    assert part.result[0]["digest"] == PICTURE[2]


def test_results_and_words_of_one_message_are_told_apart():
    result = {"toolResult": {"toolUseId": "t", "content": [{"text": "x"}]}}
    messages = _request(
        {"role": "user", "content": [result, {"text": "and?"}]}, {"role": "user", "content": []}
    ).messages
    assert [message.role for message in messages] == ["tool", "user", "user"]


def test_tools_and_what_is_said_about_them():
    config = {
        "tools": [
            {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}, "strict": True}},
            {"systemTool": {"name": "nova_grounding"}},
        ],
        "toolChoice": {"auto": {}},
    }
    request = sent(CONVERSE_REQUEST | {"toolConfig": config})
    assert [(tool.name, tool.schema_, tool.options) for tool in request.tools] == [
        ("f", {"type": "object"}, {"strict": True}),
        ("nova_grounding", None, {"name": "nova_grounding"}),
    ]
    assert request.parameters == {"inferenceConfig": {"maxTokens": 100}, "toolChoice": {"auto": {}}}


@pytest.mark.parametrize(
    ("path", "model", "stream"),
    [
        ("model/us.amazon.nova-v1%3A0/converse", "us.amazon.nova-v1:0", False),
        ("model/us.amazon.nova-v1:0/converse-stream", "us.amazon.nova-v1:0", True),
        (
            "model/arn%3Aaws%3Abedrock%3A1%3Ainference-profile%2Fx/converse",
            "arn:aws:bedrock:1:inference-profile/x",
            False,
        ),
        ("model/us.amazon.nova-v1:0/invoke", "us.amazon.nova-v1:0", False),
    ],
)
def test_the_model_is_in_the_url(path, model, stream):
    request = sent(CONVERSE_REQUEST, url=f"https://b.test/{path}")
    assert (request.model, request.stream) == (model, stream)


def test_boto_names_the_model_in_the_request():
    assert sent({"modelId": "m", "messages": CONVERSE_REQUEST["messages"]}).model == "m"


# -- InvokeModel: the body decides, then the model in the URL ---------------------------------------------------------------

INVOKE = "https://bedrock-runtime.us-east-1.amazonaws.com/model/{}/invoke"
NOVA = {"schemaVersion": "messages-v1", "messages": [{"role": "user", "content": [{"text": "x"}]}]}
COMMAND_R = {"text": "Hi.", "generation_id": "g", "finish_reason": "COMPLETE", "chat_history": []}


@pytest.mark.parametrize(
    ("model", "request_", "answer", "provider"),
    [
        ("us.anthropic.claude-test-v1%3A0", {"anthropic_version": "b", "messages": []}, ANTHROPIC_ANSWER, "anthropic"),
        ("us.anthropic.claude-test-v1%3A0", {"messages": []}, None, "anthropic"),
        ("arn%3Aaws%3Abedrock%3Aprofile%2Fx", {"messages": []}, ANTHROPIC_ANSWER, "anthropic"),
        ("amazon.nova-test-v1:0", NOVA, CONVERSE_ANSWER, "bedrock_converse"),
        ("amazon.nova-test-v1:0", NOVA, None, "bedrock_converse"),
        ("meta.llama3-test-v1:0", {"prompt": "x"}, None, "bedrock_text"),
        ("mistral.mistral-large-2407-v1:0", {"messages": []}, CHAT_ANSWER, "openai_chat"),
        ("cohere.command-r-v1:0", {"message": "x"}, COMMAND_R, "cohere"),
        ("anthropic.claude-v2", {"prompt": "x"}, {"completion": "Hi.", "stop_reason": "stop_sequence"}, "bedrock_text"),
    ],
)
def test_who_reads_an_invocation(model, request_, answer, provider):
    assert must_read(request_, answer, url=INVOKE.format(model), status=200 if answer else 403).provider == provider


def test_an_invocation_names_its_model():
    request = sent(ANTHROPIC_REQUEST | {"model": None}, url=INVOKE.format("us.anthropic.claude-test-v1%3A0"))
    assert request.model == "us.anthropic.claude-test-v1:0"


def test_nova_streams_as_converse_does():
    assert answered(invoke_stream(CONVERSE_EVENTS)) == answered(CONVERSE_ANSWER)


@pytest.mark.parametrize(
    ("model", "request_", "answer"),
    [
        ("amazon.titan-embed-text-v2:0", {"inputText": "x"}, {"embedding": [0.1], "inputTextTokenCount": 1}),
        ("cohere.embed-english-v3", {"texts": ["x"]}, {"embeddings": [[0.1]]}),
        ("amazon.nova-canvas-v1:0", {"taskType": "TEXT_IMAGE"}, {"images": [PNG]}),
        ("stability.stable-image-core-v1:0", {"prompt": "x"}, {"images": [PNG]}),
        ("profile", {"inputText": "x"}, {"embedding": [0.1]}),
    ],
)
def test_models_that_make_no_words_are_other_traffic(model, request_, answer):
    assert read_call(exchange(request_, answer, url=INVOKE.format(model), status=200)) is None


def test_a_failure_is_what_bedrock_says():
    call = must_read(
        CONVERSE_REQUEST, {"message": "The model identifier is invalid."}, url=URLS["bedrock_converse"], status=400
    )
    assert call.response is not None
    assert call.response.error == "The model identifier is invalid."
