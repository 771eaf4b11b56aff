"""Models that continue a text: the legacy completions, the text models of Bedrock, Hugging Face."""

import pytest

from reviewlib.providers import read_call
from tests.providers.bodies import answered, brief, exchange, must_read, sent, sse
from tests.providers.dialects import TEXT_REQUESTS, URLS, completion, token

METRICS = {"amazon-bedrock-invocationMetrics": {"inputTokenCount": 7, "outputTokenCount": 2}}


def _brief(response):
    usage = response.usage
    return brief(response.parts), response.stop_reason, usage and (usage.input_tokens, usage.output_tokens)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            {"generation": "Hi.", "prompt_token_count": 7, "generation_token_count": 2, "stop_reason": "length"},
            ("max_tokens", (7, 2)),
        ),
        (
            {
                "inputTextTokenCount": 7,
                "results": [{"tokenCount": 2, "outputText": "Hi.", "completionReason": "FINISH"}],
            },
            ("end_turn", (7, 2)),
        ),
        (
            {"inputTextTokenCount": 7, "results": [{"outputText": "Hi.", "completionReason": "CONTENT_FILTERED"}]},
            ("content_filter", (7, None)),
        ),
        ({"outputs": [{"text": "Hi.", "stop_reason": "stop"}]}, ("end_turn", None)),
        (
            {"id": "g", "generations": [{"id": "i", "text": "Hi.", "finish_reason": "COMPLETE"}], "prompt": "x"},
            ("end_turn", None),
        ),
        ({"completions": [{"data": {"text": "Hi."}, "finishReason": {"reason": "endoftext"}}]}, ("end_turn", None)),
        ({"completion": "Hi.", "stop_reason": "stop_sequence", "stop": "\n\nHuman:"}, ("stop_sequence", None)),
        ({"completion": "Hi.", "stop_reason": "novelty"}, ("other", None)),
        (
            {
                "outputText": "Hi.",
                "inputTextTokenCount": 7.0,
                "totalOutputTextTokenCount": 2.0,
                "amazon-bedrock-guardrailAction": "INTERVENED",
            },
            ("content_filter", (7, 2)),
        ),
    ],
    ids=["llama", "titan", "filtered", "mistral", "command", "jurassic", "claude 2", "unknown reason", "guardrail"],
)
def test_each_model_keeps_its_words_elsewhere(answer, expected):
    assert _brief(answered(answer)) == (["Hi."], *expected)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (
            [{"generation": "H", "stop_reason": None}, {"generation": "i.", "stop_reason": "stop"} | METRICS],
            (["Hi."], "end_turn", (7, 2)),
        ),
        (
            [
                {"outputText": "H", "index": 0, "completionReason": None, "inputTextTokenCount": 7},
                {"outputText": "i.", "index": 0, "completionReason": "LENGTH", "totalOutputTextTokenCount": 2},
            ],
            (["Hi."], "max_tokens", (7, 2)),
        ),
        (
            [
                {"outputs": [{"text": "H", "stop_reason": None}]},
                {"outputs": [{"text": "i.", "stop_reason": "length"}]} | METRICS,
            ],
            (["Hi."], "max_tokens", (7, 2)),
        ),
        (
            [
                {"text": "H", "is_finished": False, "finish_reason": None},
                {"text": "i.", "is_finished": True, "finish_reason": "COMPLETE"},
            ],
            (["Hi."], "end_turn", None),
        ),
        (
            [{"completion": "H", "stop_reason": None}, {"completion": "i.", "stop_reason": "stop_sequence"}],
            (["Hi."], "stop_sequence", None),
        ),
    ],
    ids=["llama", "titan", "mistral", "command", "claude 2"],
)
def test_each_model_streams_its_words(events, expected):
    response = answered(sse(events))
    assert _brief(response) == expected
    assert response.complete
    assert not answered(sse(events[:1] * 2)).complete


@pytest.mark.parametrize(
    ("body", "url"),
    [
        ({"inputText": "Q", "textGenerationConfig": {"topP": 1}}, None),
        ({"prompt": "Q", "max_gen_len": 3}, None),
        ({"prompt": "Q"}, "https://b.test/model/mistral.mistral-7b/invoke"),
        ({"prompt": "Q", "model": "claude-2", "max_tokens_to_sample": 3}, "https://api.anthropic.com/v1/complete"),
        ({"prompt": "Q"}, "https://api.cohere.com/v1/generate"),
    ],
)
def test_prompts_of_text_models(body, url):
    call = must_read(body, url=url)
    assert call.provider == "bedrock_text"
    assert call.request is not None
    assert [brief(message.parts) for message in call.request.messages] == [["Q"]]


# -- legacy completions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [("Q", [["Q"]]), (["Q", "R"], [["Q"], ["R"]]), ([1, 2], [["[1, 2]"]]), ([[1], [2]], [["[[1], [2]]"]])],
)
def test_prompts(prompt, expected):
    request = sent({"model": "m", "prompt": prompt}, url=URLS["openai_completions"])
    assert [brief(message.parts) for message in request.messages] == expected


@pytest.mark.parametrize(
    ("finish", "expected"),
    [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("content_filter", "content_filter"),
        ("eos", "end_turn"),
        ("x", "other"),
        (None, None),
    ],
)
def test_how_a_completion_ends(finish, expected):
    assert answered(completion("Hi.", finish)).stop_reason == expected


def test_choices_are_told_apart_whole_and_streamed():
    one, two = completion("a")["choices"][0], completion("b")["choices"][0] | {"index": 1}
    assert brief(answered(completion("") | {"choices": [one, two]}).parts) == ["a", "b"]
    events = [completion("") | {"choices": [two]}, completion("") | {"choices": [one]}]
    assert brief(answered(sse(events)).parts) == ["a", "b"]


def test_a_deployment_is_the_model():
    request = sent(
        {"prompt": "Q"}, url="https://x.openai.azure.com/openai/deployments/davinci/completions?api-version=1"
    )
    assert request.model == "davinci"


def test_a_chat_is_no_completion():
    call = must_read({"messages": []}, url="https://x.test/openai/deployments/gpt/chat/completions", status=401)
    assert call.provider == "openai_chat"


# -- Hugging Face -----------------------------------------------------------------------------------------------------------


def test_an_answer_in_a_list_is_one_answer():
    call = must_read(
        TEXT_REQUESTS["huggingface"],
        [{"generated_text": "Hi."}],
        url="https://api-inference.huggingface.co/models/o/m",
        status=200,
    )
    assert call.provider == "huggingface"
    assert call.response is not None
    assert (brief(call.response.parts), call.response.complete, call.response.usage) == (["Hi."], True, None)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("eos_token", "end_turn"), ("stop_sequence", "stop_sequence"), ("length", "max_tokens"), ("x", "other")],
)
def test_how_a_text_ends(reason, expected):
    answer = {"generated_text": "Hi.", "details": {"finish_reason": reason, "generated_tokens": 2}}
    assert _brief(answered(answer)) == (["Hi."], expected, (None, 2))


def test_special_tokens_are_no_words():
    events = [token("Hi."), {"token": {"id": 2, "text": "</s>", "special": True}, "generated_text": None}]
    assert brief(answered(sse(events)).parts) == ["Hi."]


@pytest.mark.parametrize(
    "body",
    [
        {"inputs": "I am glad."},
        {"inputs": "I am glad.", "parameters": {"candidate_labels": ["joy"]}},
        {"inputs": ["a", "b"]},
    ],
)
def test_tasks_that_generate_no_text_are_other_traffic(body):
    url = "https://api-inference.huggingface.co/models/owner/model"
    assert read_call(exchange(body, [[{"label": "joy", "score": 0.9}]], url=url, status=200)) is None
