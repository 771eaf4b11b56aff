"""What providers make anew while a run is recorded: files, containers, stores, chained answers, approvals, failed tries, side traffic."""

import json
from datetime import UTC, datetime

import pytest

from reviewlib.model.cassette import File
from reviewlib.pipeline import compare, read
from reviewlib.policy import Policy
from tests.recorded_files import vcrpy
from tests.story import Fresh, Wired

AT = datetime(2026, 11, 1, tzinfo=UTC)
CLAUDE, OPENAI = "https://api.anthropic.com/v1", "https://api.openai.com/v1"
GEMINI = "https://generativelanguage.googleapis.com/v1beta"
USAGE = {"input_tokens": 5, "output_tokens": 5, "total_tokens": 10}


def wired(uri, sent, answer, status=200):
    return Wired(uri, sent, json.dumps(answer).encode(), status=status)


def claude(fresh, asked, *blocks, **more):
    """A call of Claude, asked with these blocks."""
    answer = {
        "id": fresh.id("msg_01"),
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": list(blocks),
    }
    sent = {"model": "claude-x", "max_tokens": 9, "messages": asked} | more
    return wired(f"{CLAUDE}/messages", sent, answer | {"stop_reason": "end_turn", "usage": USAGE})


def response(fresh, *items, **sent):
    answer = {
        "id": fresh.id("resp_"),
        "object": "response",
        "status": "completed",
        "model": "gpt-x",
        "output": list(items),
    }
    return wired(f"{OPENAI}/responses", {"model": "gpt-x"} | sent, answer | {"usage": USAGE})


def asked(*blocks):
    return [{"role": "user", "content": [*blocks, {"type": "text", "text": "sum it up"}]}]


def words(fresh, text="ok"):
    return {
        "type": "message",
        "id": fresh.id("msg_"),
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }


TEXT = {"type": "text", "text": "ok"}


def code_execution(fresh):
    name, file = fresh.id("srvtoolu_01"), fresh.id("file_011")
    output = {"type": "bash_code_execution_output", "file_id": file}
    ran = {"type": "bash_code_execution_result", "stdout": "", "stderr": "", "return_code": 0, "content": [output]}
    use = {"type": "server_tool_use", "id": name, "name": "bash_code_execution", "input": {"command": "python plot.py"}}
    return [
        claude(
            fresh, asked(), use, {"type": "bash_code_execution_tool_result", "tool_use_id": name, "content": ran}, TEXT
        )
    ]


def code_interpreter(fresh):
    container, file = fresh.id("cntr_"), fresh.id("cfile_")
    item = {
        "type": "code_interpreter_call",
        "id": fresh.id("ci_"),
        "container_id": container,
        "code": "plot()",
        "status": "completed",
    }
    image = {"type": "image", "url": f"{OPENAI}/containers/{container}/files/{file}"}
    return [response(fresh, item | {"outputs": [image]}, words(fresh), input="plot")]


def upload(fresh):
    file = fresh.id("file_011")
    document = {"type": "document", "source": {"type": "file", "file_id": file}}
    return [wired(f"{CLAUDE}/files", {}, {"id": file, "type": "file"}), claude(fresh, asked(document), TEXT)]


def upload_to_gemini(fresh):
    uri = f"{GEMINI}/files/{fresh.id('a1', 12)}"
    parts = [{"fileData": {"mimeType": "video/mp4", "fileUri": uri}}, {"text": "what is it"}]
    candidate = {"content": {"role": "model", "parts": [{"text": "ok"}]}, "finishReason": "STOP"}
    sent = {"contents": [{"role": "user", "parts": parts}]}
    answer = {"candidates": [candidate], "modelVersion": "g"}
    return [
        wired(f"{GEMINI}/files", {}, {"file": {"uri": uri}}),
        wired(f"{GEMINI}/models/g:generateContent", sent, answer),
    ]


def store(fresh):
    name = fresh.id("vs_")
    call = {"type": "file_search_call", "id": fresh.id("fs_"), "queries": ["q"], "status": "completed"}
    found = [{"file_id": fresh.id("file-"), "filename": "a.txt", "score": 0.9, "text": "x"}]
    tools = [{"type": "file_search", "vector_store_ids": [name]}]
    created = wired(f"{OPENAI}/vector_stores", {}, {"id": name, "object": "vector_store"})
    return [created, response(fresh, call | {"results": found}, words(fresh), input="q", tools=tools)]


def chained(fresh):
    name = fresh.id("call_")
    call = {"type": "function_call", "id": fresh.id("fc_"), "call_id": name, "name": "get", "arguments": '{"a": 1}'}
    first = response(fresh, call, input="hi")
    output = {"type": "function_call_output", "call_id": name, "output": "7"}
    return [
        first,
        response(fresh, words(fresh, "7"), input=[output], previous_response_id=json.loads(first.answer)["id"]),
    ]


def approval(fresh):
    name = fresh.id("mcpr_")
    request = {
        "type": "mcp_approval_request",
        "id": name,
        "name": "ask",
        "arguments": '{"q": 1}',
        "server_label": "wiki",
    }
    listed = {"type": "mcp_list_tools", "id": fresh.id("mcpl_"), "server_label": "wiki", "tools": []}
    reply = {"type": "mcp_approval_response", "approval_request_id": name, "approve": True}
    called = {
        "type": "mcp_call",
        "id": fresh.id("mcp_"),
        "approval_request_id": name,
        "name": "ask",
        "arguments": '{"q": 1}',
    }
    history = [{"role": "user", "content": "hi"}, listed, request, reply]
    return [
        response(fresh, listed, request, input="hi"),
        response(fresh, called | {"output": "42", "server_label": "wiki"}, words(fresh, "42"), input=history),
    ]


def tries_and_side_traffic(fresh):
    sent = {"model": "claude-x", "max_tokens": 9, "messages": asked()}
    failed = {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
        "request_id": fresh.id("req_"),
    }
    tries = [wired(f"{CLAUDE}/messages", sent, failed, 529)] * fresh.chance.randrange(4)
    counted = [
        wired(f"{CLAUDE}/messages/count_tokens", sent, {"input_tokens": fresh.chance.randrange(99)})
    ] * fresh.chance.randrange(3)
    run, title = (
        [*counted, *tries, claude(fresh, asked(), TEXT)],
        [claude(fresh, asked(), TEXT, system="Write a title.")],
    )
    return run + title if fresh.chance.random() < 0.5 else title + run


def ids_in_texts(fresh):
    name = fresh.id("toolu_01")
    use = {"type": "tool_use", "id": name, "name": "get", "input": {}}
    result = {"type": "tool_result", "tool_use_id": name, "content": f'<output id="{name}">7</output>'}
    history = [*asked(), {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    return [claude(fresh, asked(), use), claude(fresh, history, {"type": "text", "text": f"The call {name} said 7."})]


def billing(fresh):
    more = {"metadata": {"user_id": fresh.id("u")}, "service_tier": None}
    return [claude(fresh, asked(), TEXT, container={"id": fresh.id("container_")}, **more)]


STORIES = [
    code_execution, code_interpreter, upload, upload_to_gemini, store, chained, approval, tries_and_side_traffic, ids_in_texts, billing,
]  # fmt: skip


def pair(story, one=1, other=2):
    sides = []
    for seed in (one, other):
        (item,) = read([File(path="a", blob=f"{seed:040x}", data=vcrpy(story(Fresh(seed)), Fresh(seed)))])
        sides.append(item)
    return compare(*sides, Policy(), AT)


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("seed", range(2, 7))
def test_what_a_provider_makes_anew_is_no_change(story, seed):
    found = pair(story, 1, seed)
    assert found.significance == "identical", found.headline
    assert found.baseline_digests == found.head_digests


def constant_file(fresh):
    return [
        claude(fresh, asked({"type": "document", "source": {"type": "file", "file_id": fresh.id("file_011")}}), TEXT)
    ]


def constant_store(fresh):
    return [
        response(fresh, words(fresh), input="q", tools=[{"type": "file_search", "vector_store_ids": [fresh.id("vs_")]}])
    ]


@pytest.mark.parametrize(("story", "kind"), [(constant_file, "user_message"), (constant_store, "tool_schema")])
def test_a_file_or_a_store_that_was_there_before_is_a_change_when_it_is_another(story, kind):
    assert [change.kind for change in pair(story).diff.changes] == [kind]


def test_another_one_of_two_uploaded_files_is_a_change():
    def story(fresh, sent):
        files = [fresh.id("file_011"), fresh.id("file_011")]
        documents = [{"type": "document", "source": {"type": "file", "file_id": files[number]}} for number in sent]
        uploads = [wired(f"{CLAUDE}/files", {}, {"id": name}) for name in files]
        return [*uploads, claude(fresh, asked(*documents), TEXT)]

    (one,), (other,) = (
        read([File(path="a", blob="0" * 40, data=vcrpy(story(Fresh(number), sent), Fresh(number)))])
        for number, sent in enumerate([(0, 1, 0), (0, 1, 1)])
    )
    assert compare(one, other, Policy(), AT).headline == "user message edited"


def test_a_file_is_named_by_its_kind_and_number():
    (run,) = pair(upload).head.conversations
    assert [media.url for step in run.steps if step.kind == "user_message" for media in step.media] == ["file-1"]
    (ran,) = pair(code_execution).head.conversations
    assert ran.calls[0].result["content"][0]["file_id"] == "file-1"
