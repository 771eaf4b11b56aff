"""Every recorded answer of the corpus, read by us and by the provider's official SDK, and compared.

``uv run python -m tests.providers.official_sdks`` writes the counts into docs/formats.md, between its two markers.
"""

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from reviewlib.formats import read_cassettes
from reviewlib.model.call import CallPart, ModelResponse, Text
from reviewlib.model.cassette import Cassette, Exchange, File, Response
from reviewlib.providers import PROVIDERS, read_call
from reviewlib.providers._wire import read_wire
from tests.corpus import CORPUS
from tests.providers.sdk_exceptions import EXCEPTIONS
from tests.providers.sdk_readers import READERS, Body, Feed, Seen

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"
BEGIN, END = "<!-- sdk-counts:begin -->", "<!-- sdk-counts:end -->"
_PROVIDERS = {provider.name: provider for provider in PROVIDERS}
_AROUND = {"anthropic": "event: {type}\ndata: {data}\n\n", "openai_responses": "event: {type}\ndata: {data}\n\n"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A recorded answer of a successful call, once for all files that hold the same bytes."""

    path: str
    provider: str
    exchange: Exchange
    body: Body


@dataclass(slots=True)
class Outcome:
    """What came of all answers, by provider: how many were equal, refused by the SDK, excepted; and what differed."""

    equal: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    excepted: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    @property
    def compared(self) -> int:
        """How many answers both read."""
        return self.equal.total() + self.excepted.total() + len(self.differing)

    def table(self) -> str:
        """The counts as Markdown."""
        lines = [
            "| SDK | API | answers | equal | refused by the SDK | differing, with a reason |",
            "|---|---|---|---|---|---|",
        ]
        for name, (sdk, _) in READERS.items():
            counts = (self.equal[name], self.refused[name], self.excepted[name])
            if sum(counts):
                lines.append(
                    f"| {sdk} | {_PROVIDERS[name].title} | {sum(counts)} | " + " | ".join(map(str, counts)) + " |"
                )
        return "\n".join(lines)


def answers() -> Iterator[Answer]:
    """The distinct answers of successful calls in the corpus whose provider has an SDK here."""
    paths = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.suffix not in {".md", ".tsv"})
    files = [File(path=path.relative_to(CORPUS).as_posix(), blob="0" * 40, data=path.read_bytes()) for path in paths]
    known: set[str] = set()
    for cassette in read_cassettes(files):
        interactions = cassette.interactions if isinstance(cassette, Cassette) else ()
        for exchange in interactions:
            if not isinstance(exchange, Exchange) or exchange.response is None:
                continue
            if not 200 <= (exchange.response.status or 200) <= 299 or (call := read_call(exchange)) is None:
                continue
            body = _body(exchange.response, call.provider) if call.provider in READERS else None
            if body is None:
                continue
            digest = sha256(call.provider.encode() + body.data).hexdigest()[:16]
            if digest not in known:
                known.add(digest)
                yield Answer(f"{cassette.path}#{exchange.index}", call.provider, exchange, body)


def _body(response: Response, provider: str) -> Body | None:
    """The answer as the bytes that a server sent; None where nothing was recorded."""
    if response.chunks:
        around = _AROUND.get(provider, "data: {data}\n\n")
        events = read_wire(Exchange(index=0, request=None, response=response)).stream.events
        text = "".join(around.format(type=event.get("type"), data=json.dumps(_unpadded(event))) for event in events)
        return Body(text.encode(), is_stream=True)
    match response.body:
        case dict() as tree:
            return Body(json.dumps(tree, default=repr).encode(), is_stream=False)
        case str() as text:
            return Body(text.encode(), is_stream=True)
        case bytes() as data:
            return Body(data, is_stream=True)
        case list() as events:
            return Body(json.dumps(events).encode(), is_stream=True)
    return None


def _unpadded(value: Any) -> Any:
    """The event as it was on the wire: recorders at the SDK dump its objects, with null for every key that was not sent."""
    if isinstance(value, dict):
        return {key: _unpadded(item) for key, item in value.items() if item is not None}
    return [_unpadded(item) for item in value] if isinstance(value, list) else value


def ours(answer: Answer) -> Seen | None:
    """What this product reads, without reading calls out of prose; None where it says that the answer is a failure."""
    _, response = _PROVIDERS[answer.provider].parse(read_wire(answer.exchange))
    if response is None or (response.error and not response.stop_reason_raw):
        return None
    # a search that Google ran is told beside its answer; no SDK makes a call of it
    called = [part for part in response.parts if isinstance(part, CallPart) and part.tool != "google_search"]
    return Seen(
        calls=tuple((part.tool, _arguments(part)) for part in called if not part.server_side),
        own_tools=tuple(part.tool for part in called if part.server_side),
        text="".join(part.text for part in response.parts if isinstance(part, Text)),
        stop=response.stop_reason_raw,
        normal=response.stop_reason,
        usage=_usage(response),
    )


def _arguments(part: CallPart) -> Any:
    return part.arguments if part.arguments_raw is None else part.arguments_raw


def _usage(response: ModelResponse) -> tuple[int | None, ...] | None:
    usage = response.usage
    if usage is None:
        return None
    cached = (usage.cache_read_tokens, usage.cache_write_tokens)
    return (usage.input_tokens, usage.output_tokens, *cached, usage.reasoning_tokens)


def compare() -> Outcome:
    """Feed every answer to its SDK and hold the two readings against each other."""
    outcome = Outcome()
    for answer in answers():
        name = answer.provider
        try:
            theirs = _theirs(answer)
        except Exception as error:  # noqa: BLE001 - an SDK may refuse a body in any way it likes; the refusals are counted
            outcome.refused[name] += 1
            outcome.refusals[answer.path] = f"{type(error).__name__}: {str(error)[:120]}"
            continue
        found = difference(theirs, ours(answer))
        if not found:
            outcome.equal[name] += 1
        elif answer.path in EXCEPTIONS:
            outcome.excepted[name] += 1
            outcome.used.add(answer.path)
        else:
            outcome.differing.append(f"{name} {answer.path}: {found}")
    return outcome


def _theirs(answer: Answer) -> Seen:
    Feed.held = answer.body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return READERS[answer.provider][1](answer.body)


def difference(theirs: Seen, own: Seen | None) -> str:
    """What differs, in words; empty where nothing does."""
    if own is None:
        return "the SDK reads an answer where we read a failure"
    pairs = [(item.name, getattr(theirs, item.name), getattr(own, item.name)) for item in fields(Seen)]
    return "; ".join(f"{name}: SDK {one!r:.300}, ours {other!r:.300}" for name, one, other in pairs if one != other)


def written(text: str, table: str) -> str:
    """The document with the table between the markers; with both at its end where it has none yet."""
    block = f"{BEGIN}\n{table}\n{END}"
    if BEGIN not in text:
        return f"{text}\n{block}\n" if text else f"{block}\n"
    before, _, rest = text.partition(BEGIN)
    return before + block + rest.partition(END)[2]


def main() -> None:
    """Write the counts."""
    outcome = compare()
    DOCS.write_text(
        written(DOCS.read_text(encoding="utf-8") if DOCS.exists() else "", outcome.table()), encoding="utf-8"
    )
    print(outcome.table(), *outcome.differing, *outcome.refusals.items(), sep="\n")


if __name__ == "__main__":
    main()
