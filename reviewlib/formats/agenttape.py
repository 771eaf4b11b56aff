"""agenttape: one run in YAML or JSON (also YAML under ``.json``), its boundaries in order: ``llm``, ``tool``, ``http``, ``retrieval``, ``memory_*``.

Texts over 4,096 bytes stand in files of their own, ``x.assets/sha256-…``, beside ``x.yaml``. Calls of SDKs that agenttape does not patch go
through its HTTP layer, which knows httpx but not the httpx2 of newer SDKs: then the model's calls are missing and nothing says so.
"""

import base64
import binascii
import re
from dataclasses import dataclass

from reviewlib.formats import http, sdk
from reviewlib.formats.format import Companions, Context, Format, Parsed
from reviewlib.formats.plain import text, tree
from reviewlib.model.cassette import Exchange, File, Interaction, Request, Response
from reviewlib.model.frozen import Plain
from reviewlib.redact import mask_text

_NOTED = frozenset({"endpoint"})
_ASSET = "__agenttape_asset__"
_BYTES = "__agenttape_bytes__"
_ENDING = re.compile(r"\.(?:ya?ml|json)\Z")
_MISSED = (
    "Tool runs were recorded, but no model call. agenttape does not see calls of SDKs on httpx2 (Anthropic's and OpenAI's newer ones), "
    "unless it patches the SDK itself."
)


def recognise(tree_: Plain) -> bool:
    """Whether the object has ``run_id`` and ``meta``, and interactions with a ``kind`` and a request."""
    if not isinstance(tree_, dict) or not tree_.keys() >= {"run_id", "meta"} or not isinstance(tree_["meta"], dict):
        return False
    items = tree_.get("interactions")
    return isinstance(items, list) and all(
        isinstance(item, dict) and isinstance(item.get("kind"), str) and isinstance(item.get("request"), dict)
        for item in items
    )


def parse(tree_: Plain, context: Context) -> Parsed:
    """Every interaction in file order, its outsourced texts put back."""
    shelf = _Shelf({file.path.rpartition("/")[2]: file for file in context.sidecars if file.missing is None}, set())
    items = [shelf.restored(item) for item in tree_["interactions"]]
    interactions = tuple(_interaction(index, item) for index, item in enumerate(items))
    kinds = {item["kind"] for item in items}
    absent = (
        (f"Texts in files that are not here: {len(shelf.absent)}; their beginnings are shown.",) if shelf.absent else ()
    )
    return Parsed(
        interactions=interactions,
        not_recorded=() if "http" in kinds else ("http_status",),
        recorded_at=http.epoch(tree_.get("created_at")),
        notes=(*absent, *((_MISSED,) if "tool" in kinds and not kinds & {"llm", "http"} else ())),
    )


def beside(path: str) -> Companions | None:
    """Tell where the outsourced texts of a cassette are."""
    stem, replaced = _ENDING.subn("", path)
    return Companions(f"{stem}.assets", r"sha256-[0-9a-f]{64}") if replaced else None


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The files that hold outsourced texts, by name, and the names of those that were asked for and are not there."""

    files: dict[str, File]
    absent: set[str]

    def restored(self, value: Plain) -> Plain:
        """Return the value with its references replaced; the same object where it has none."""
        if isinstance(value, list):
            items = [self.restored(item) for item in value]
            return items if any(one is not two for one, two in zip(items, value, strict=True)) else value
        if not isinstance(value, dict):
            return value
        if isinstance(value.get(_ASSET), str):
            return self._asset(value)
        if value.keys() == {_BYTES}:
            return _decoded(value[_BYTES])
        members = {key: self.restored(item) for key, item in value.items()}
        return members if any(members[key] is not item for key, item in value.items()) else value

    def _asset(self, reference: dict[str, Plain]) -> Plain:
        name = reference[_ASSET].replace("sha256:", "sha256-")
        file = self.files.get(name)
        if file is None:
            self.absent.add(name)
            return f"{text(reference.get('preview')) or ''}…"
        if reference.get("encoding") == "base64":
            return file.data
        return mask_text(file.data.decode("utf-8", "replace"))


def _decoded(encoded: Plain) -> Plain:
    try:
        return base64.b64decode(encoded)
    except (TypeError, ValueError, binascii.Error):
        return encoded


def _interaction(index: int, item: dict[str, Plain]) -> Interaction:
    sent, error = item["request"], item.get("error")
    kind, seconds = item["kind"], http.took(item.get("latency_ms"))
    if kind == "tool":
        name = sent.get("name", item.get("boundary"))
        return sdk.execution(index, name, sent.get("args"), item.get("response"), error)
    if kind == "llm":
        answer = sdk.response(item.get("response")) if error is None else sdk.failure(error)
        return Exchange(index=index, request=sdk.request(sent, _NOTED), response=answer, seconds=seconds)
    if kind == "http":
        return Exchange(index=index, request=_http_request(sent), response=_http_response(item), seconds=seconds)
    what = f"{kind}/{item.get('boundary')}"  # retrieval, memory: what the harness looked up, no call of the model
    return Exchange(index=index, request=Request(uri=what, body=sent), response=Response(body=item.get("response")))


def _http_request(sent: dict[str, Plain]) -> Request:
    return http.request(sent.get("method"), sent.get("url"), sent.get("headers"), _body(sent))


def _http_response(item: dict[str, Plain]) -> Response:
    if item.get("error") is not None:
        return sdk.failure(item["error"])
    got = tree(item.get("response"))
    return http.response(got.get("status_code"), got.get("headers"), _body(got))


def _body(side: dict[str, Plain]) -> Plain:
    """A body under the name of its kind: JSON, a form, text, or bytes."""
    found = next((side[name] for name in ("json", "form", "text", "content") if name in side), None)
    return _decoded(side["body_b64"]) if found is None and "body_b64" in side else found


FORMAT = Format(
    "agenttape",
    "agenttape",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Written by agenttape, one YAML or JSON file a run, long texts in a folder beside it. It holds the arguments and answers of every "
    "call that it patches, HTTP below that, and the runs and failures of the tools that it wraps; streams are not recorded.",
    beside=beside,
)
