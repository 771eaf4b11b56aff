"""Repositories with recordings of a given shape, for the browser: long runs, huge values, many files."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path


def exchange(messages, answer, system="You are a support agent.", tools=()):
    """One call of the model as vcrpy records it; the history holds the run so far."""
    request = {"model": "claude-sonnet-4-5", "max_tokens": 1024, "system": system, "messages": messages}
    if tools:
        request["tools"] = [{"name": name, "input_schema": {"type": "object"}} for name in tools]
    response = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": answer,
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1200, "output_tokens": 40},
    }
    return {
        "request": {
            "method": "POST",
            "uri": "https://api.anthropic.com/v1/messages",
            "headers": {"content-type": ["application/json"]},
            "body": json.dumps(request),
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": ["application/json"]},
            "body": {"string": json.dumps(response)},
        },
    }


def cassette(calls, answer="Done.", user="Please look into it.", system="You are a support agent."):
    """A run of ``calls``, each a tool with its arguments and its result, told by the history of one request."""
    messages = [{"role": "user", "content": user}]
    for number, (tool, arguments, result) in enumerate(calls):
        use = {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": arguments}
        back = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": json.dumps(result)}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}]
    interaction = exchange(messages, [{"type": "text", "text": answer}], system)
    return json.dumps({"version": 1, "interactions": [interaction]})


def long_run(steps, changed, salt):
    """A run of ``steps`` calls; every ``changed``-th has another amount on each side, so ``salt`` tells the sides apart."""
    calls = []
    for number in range(steps):
        amount = number + (salt if number % changed == 0 else 0)
        arguments = {"order_id": f"4{number:04}", "amount": amount, "reason": "damaged on arrival", "notify": True}
        result = {"status": "done", "total": 39.0, "items": [{"sku": f"LAN-{number}", "qty": 1}], "note": "kept " * 12}
        calls.append((f"tool_{number % 7}", arguments, result))
    return cassette(calls)


def huge_values(salt, size=200_000, count=3):
    """A run with ``count`` results of ``size`` characters each."""
    words = "the quick brown fox jumps over the lazy dog and files a ticket about it "
    text = (words * (size // len(words) + 1))[:size]
    return cassette([("read_log", {"page": page}, {"log": f"{salt} {page} {text}"}) for page in range(count)])


def small(number, salt):
    """A short run of two calls in which an argument tells the sides apart."""
    first = ("get_order", {"order_id": f"{number}"}, {"total": number})
    return cassette([first, ("issue_refund", {"order_id": f"{number}", "amount": number + salt}, {"ok": True})])


def repository(folder: Path, baseline: Mapping[str, str], head: Mapping[str, str]) -> Path:
    """Make a repository with ``main`` and ``branch``, and these cassettes on them."""
    folder.mkdir(parents=True)
    _git(folder, "init", "--quiet", "-b", "main")
    _git(folder, "config", "user.name", "Mona Reviewer")
    _git(folder, "config", "user.email", "mona@example.org")
    for branch, files in (("main", baseline), ("branch", head)):
        if branch != "main":
            _git(folder, "checkout", "--quiet", "-b", branch)
        for name, text in files.items():
            file = folder / "tests" / "cassettes" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        _git(folder, "add", ".")
        _git(folder, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", f"Record on {branch}")
    return folder


def _git(folder, *words):
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
