"""Frames of realtime sessions, and gRPC pairs: each answer becomes a call in the words of the provider's HTTP API."""

import base64

import pytest

from reviewlib.formats import read_cassette
from reviewlib.model.cassette import Exchange
from reviewlib.model.trajectory import Recording
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS, needs_corpus
from tests.formats.agent_samples import (
    DONE,
    GEMINI,
    GEMINI_CALL,
    GEMINI_COUNT,
    GEMINI_SETUP,
    OPENAI_REALTIME,
    PROMPT,
    REALTIME_CALL,
    REALTIME_SAID,
    REALTIME_SPOKEN,
    SYSTEM,
    TREE,
    XAI_CHUNKS,
    XAI_PAIR,
    XAI_SAID,
    XAI_SENT,
    XAI_STREAM,
    XAI_UPLOAD,
    frames_of,
    gemini_turn,
    made,
    realtime_response,
    xai,
)
from tests.formats.samples import file, readable


def recording(tree: TREE) -> Recording:
    return read_recording(readable(read_cassette(made("t/a.yaml", tree, as_yaml=True))))


def exchanges(tree: TREE) -> list[Exchange]:
    return [each for each in recording(tree).cassette.interactions if isinstance(each, Exchange)]


def sound(data: str) -> tuple[str, TREE]:
    part = {"inlineData": {"mimeType": "audio/pcm", "data": data}}
    return "<", {"serverContent": {"modelTurn": {"parts": [part]}}}


def spoken(text: str) -> tuple[str, TREE]:
    return "<", {"serverContent": {"outputTranscription": {"text": text}}}


def heard(text: str) -> tuple[str, TREE]:
    return "<", {"serverContent": {"inputTranscription": {"text": text}}}


SETUP, READY = (">", GEMINI_SETUP), ("<", {"setupComplete": {}})
ENDED = ("<", {"serverContent": {"turnComplete": True}})


# ---------------------------------------------------------------- Gemini Live


def test_the_setup_is_what_every_call_is_sent_with():
    first, second = exchanges(GEMINI)
    assert first.request
    assert second.request
    assert first.request.body["systemInstruction"] == second.request.body["systemInstruction"]
    assert first.model == "gemini-live"
    assert [content["role"] for content in second.request.body["contents"]] == ["user", "model", "user"]


def test_what_was_spoken_is_told_in_words_and_its_sound_left_out():
    (trajectory,) = recording(GEMINI).conversations
    assert [step.kind for step in trajectory.steps] == ["system_prompt", "user_message", "tool_call", "assistant_text"]
    assert trajectory.steps[-1].text == DONE


def test_sound_without_words_is_one_piece():
    pieces = [base64.b64encode(each).decode() for each in (b"abc", b"de")]
    (exchange,) = exchanges(frames_of(SETUP, (">", gemini_turn(PROMPT)), *map(sound, pieces), ENDED))
    assert exchange.response
    (part,) = exchange.response.body["candidates"][0]["content"]["parts"]
    assert base64.b64decode(part["inlineData"]["data"]) == b"abcde"


def test_sound_that_is_none_stays_as_it_is():
    (exchange,) = exchanges(frames_of(SETUP, (">", gemini_turn(PROMPT)), sound("?"), sound("a"), ENDED))
    assert exchange.response
    assert len(exchange.response.body["candidates"][0]["content"]["parts"]) == 2


def test_what_was_heard_is_the_users_message():
    (trajectory,) = recording(frames_of(SETUP, READY, heard("Refund "), heard("it"), spoken(DONE), ENDED)).conversations
    assert [step.text for step in trajectory.steps] == [SYSTEM, "Refund it", DONE]


def test_typed_words_of_a_live_session_are_the_users_message():
    typed = (">", {"realtime_input": {"text": PROMPT}})
    (trajectory,) = recording(frames_of(SETUP, READY, typed, spoken(DONE), ENDED)).conversations
    assert trajectory.steps[1].text == PROMPT


def test_the_usage_of_an_answer_of_calls_comes_when_its_turn_completes():
    called = ("<", {"toolCall": {"functionCalls": [GEMINI_CALL]}})
    counted = ("<", {"serverContent": {"turnComplete": True}, "usageMetadata": GEMINI_COUNT})
    (exchange,) = exchanges(frames_of(SETUP, (">", gemini_turn(PROMPT)), called, counted))
    assert exchange.response
    assert exchange.response.body["usageMetadata"]["candidatesTokenCount"] == 5


def test_an_answer_that_was_cut_off_ends_with_the_recording():
    (trajectory,) = recording(frames_of(SETUP, (">", gemini_turn(PROMPT)), spoken("Refun"))).conversations
    assert trajectory.steps[-1].text == "Refun"


def test_thoughts_are_reasoning():
    thought = ("<", {"serverContent": {"modelTurn": {"parts": [{"text": "Hm.", "thought": True}]}}})
    (trajectory,) = recording(frames_of(SETUP, (">", gemini_turn(PROMPT)), thought, spoken(DONE), ENDED)).conversations
    assert [step.kind for step in trajectory.steps][-2:] == ["reasoning", "assistant_text"]


# ---------------------------------------------------------------- OpenAI Realtime


def test_responses_continue_one_another():
    first, second = exchanges(OPENAI_REALTIME)
    assert first.request
    assert second.request
    assert (first.request.body["previous_response_id"], second.request.body["previous_response_id"]) == (None, "resp_1")
    assert first.request.body["model"] == "gpt-realtime"
    assert first.request.body["instructions"] == SYSTEM


def test_a_result_that_is_sent_before_the_response_is_done_belongs_to_the_next():
    first, second = exchanges(OPENAI_REALTIME)
    assert first.request
    assert second.request
    assert [item["type"] for item in first.request.body["input"]] == ["message"]
    assert [item["type"] for item in second.request.body["input"]] == ["function_call_output"]


def test_cached_tokens_are_counted():
    (trajectory,) = recording(OPENAI_REALTIME).conversations
    assert [turn.usage.cache_read_tokens for turn in trajectory.turns if turn.usage] == [4, 4]


def transcribed(item: str, words: str) -> tuple[str, TREE]:
    kind = "conversation.item.input_audio_transcription.completed"
    return "<", {"type": kind, "item_id": item, "transcript": words}


BEGUN = ("<", {"type": "response.created", "response": {"id": "resp_1", "output": []}})
ANSWERED = ("<", realtime_response(1, REALTIME_SPOKEN))
CREATED = ("<", {"type": "session.created", "session": {"model": "gpt-realtime"}})


def test_speech_is_told_by_its_transcript_also_where_that_comes_late():
    tree = frames_of(CREATED, transcribed("i1", "Refund"), BEGUN, transcribed("i2", "order 4471"), ANSWERED)
    (trajectory,) = recording(tree).conversations
    assert [step.text for step in trajectory.steps] == ["Refund", "order 4471", DONE]


def test_settings_are_parameters_and_what_changes_with_every_session_is_not():
    changed = {"type": "session.update", "session": {"voice": "alloy", "id": "sess_1", "expires_at": 1, "prompt": None}}
    said = (">", {"type": "conversation.item.create", "item": REALTIME_SAID})
    (trajectory,) = recording(frames_of(CREATED, (">", changed), said, BEGUN, ANSWERED)).conversations
    assert trajectory.turns[0].parameters == {"voice": "alloy"}


def test_an_error_is_a_failure():
    failed = ("<", {"type": "error", "error": {"message": "Invalid value", "code": "x"}})
    said = (">", {"type": "conversation.item.create", "item": REALTIME_SAID})
    (trajectory,) = recording(frames_of(CREATED, said, failed)).conversations
    assert trajectory.steps[-1].kind == "failure"
    assert "Invalid value" in trajectory.steps[-1].text


def test_a_response_that_is_not_done_has_no_answer():
    said = (">", {"type": "conversation.item.create", "item": REALTIME_SAID})
    (exchange,) = exchanges(frames_of(CREATED, said, BEGUN))
    assert exchange.response is None


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"type": "output_audio", "transcript": DONE}, DONE),
        ({"type": "audio", "transcript": DONE}, DONE),
        ({"type": "text", "text": DONE}, DONE),
        ({"type": "output_text", "text": DONE}, DONE),
    ],
)
def test_an_answer_is_told_in_words(part, words):
    item = {"type": "message", "role": "assistant", "content": [part]}
    (trajectory,) = recording(frames_of(CREATED, BEGUN, ("<", realtime_response(1, item)))).conversations
    assert trajectory.steps[-1].text == words


# ---------------------------------------------------------------- which files


def test_a_connection_that_was_closed_and_opened_again_is_one_recording():
    tree = {**OPENAI_REALTIME, "interactions": [*OPENAI_REALTIME["interactions"], {"kind": "close", "code": 1011}]}
    assert len(exchanges(tree)) == 2


def test_frames_of_an_unknown_api_are_listed():
    read = recording(frames_of((">", {"type": "user_message", "text": PROMPT}), ("<", {"type": "agent_response"})))
    assert (len(read.other_traffic), read.conversations) == (1, ())
    assert read.notes == ("The frames are of an API whose sessions are not read.",)


@pytest.mark.parametrize(
    "items",
    [
        [{"kind": "close"}],
        [{"direction": "sent"}],
        [{"direction": "up", "data": {}}],
        [{"direction": ["sent"], "data": {}}],
        [{"direction": "sent", "data": {}}, {"request": {}}],
    ],
)
def test_other_interactions_are_not_claimed(items):
    assert not hasattr(read_cassette(made("t/a.json", {"interactions": items})), "format")


# ---------------------------------------------------------------- xAI's gRPC


def test_a_pair_is_its_json():
    (exchange,) = exchanges(xai(XAI_PAIR))
    assert exchange.request
    assert exchange.response
    assert (exchange.request.body, exchange.response.body) == (XAI_SENT, XAI_SAID)


def test_a_stream_is_its_chunks():
    (exchange,) = exchanges(xai(XAI_STREAM))
    assert exchange.response
    assert exchange.response.chunks == tuple(each["chunk"] for each in XAI_CHUNKS)
    assert recording(xai(XAI_STREAM)).conversations[0].steps[-1].text == DONE


def test_other_methods_are_other_traffic():
    read = recording(xai(XAI_UPLOAD, XAI_PAIR))
    assert [each.uri for each in read.other_traffic] == ["collections_method/create"]
    assert len(read.conversations) == 1


def test_a_call_without_an_answer_is_one():
    (exchange,) = exchanges(xai({**XAI_PAIR, "response_sample": None}))
    assert exchange.response is None


@pytest.mark.parametrize("items", [[XAI_UPLOAD], [{"request_sample": {}}], [XAI_PAIR, {"request": {}}], [XAI_PAIR, 5]])
def test_other_pairs_are_not_claimed(items):
    assert not hasattr(read_cassette(made("t/a.yaml", xai(*items), as_yaml=True)), "format")


@needs_corpus
@pytest.mark.parametrize(
    ("name", "format_", "turns", "tools"),
    [
        ("*google_ws_test_text_in_audio_out*", "realtime", 1, ()),
        ("*auto-xai_.xai.yaml", "xai-grpc", 2, ("get_weather",)),
        ("*xai_builtin_code_execution_tool_stream*", "xai-grpc", 1, ("code_execution",)),
    ],
)
def test_real_recordings_are_read(name, format_, turns, tools):
    (path,) = (CORPUS / "samples").glob(name)
    read = read_recording(readable(read_cassette(file(path.name, path.read_bytes()))))
    (trajectory,) = read.conversations
    assert (read.cassette.format, len(trajectory.turns), trajectory.tools) == (format_, turns, tools)


def test_calls_of_both_apis_are_the_same_run():
    assert REALTIME_CALL["name"] == GEMINI_CALL["name"]
    runs = [recording(tree).conversations[0] for tree in (GEMINI, OPENAI_REALTIME)]
    told = [[(call.tool, call.arguments, call.result) for call in run.calls] for run in runs]
    assert told[0] == told[1]
