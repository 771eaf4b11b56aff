"""Bytes → plain values, once for the whole product. The bytes are hostile: every step is bounded, and nothing in them is run.

What a file is, is told by its content, never by its name: recorders write YAML into ``.json`` and gzip into ``.yaml.gz``.
"""

import codecs
import gzip
import importlib
import io
import json
import re
import tomllib
import zlib
from contextlib import suppress
from typing import Literal, TypeAlias

import orjson

from reviewlib.decode_yaml import load_yaml
from reviewlib.errors import DecodeError
from reviewlib.model.frozen import Frozen, Plain

Kind: TypeAlias = Literal["json", "jsonl", "yaml", "toml", "text"]

MAX_BYTES = 64 * 2**20
"""The largest file that is read. The largest cassette found in 20 public repositories is 4.2 MB."""
MAX_UNPACKED = 256 * 2**20
"""The most that a compressed file or body may unpack to."""
MAX_DEPTH = 200
"""Deepest nesting: every consumer may recurse over what is returned (Python's own limit is 1,000 frames)."""
MAX_NODES = 2_000_000
"""Most values in a YAML file, aliases expanded, and most lists and objects in a JSON file."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_LFS = b"version https://git-lfs.github.com/spec/"
_HTTPRR = b"httprr trace v"  # a text format that counts bytes, and whose bodies are raw bytes
_ZSTD_STEP = 256  # four bytes may unpack to 128 KiB, so that a step gives 8 MiB at most
_SMALL_YAML = 2**20
_MAX_TOML = 8 * 2**20
_MAX_TOML_VALUES = 200_000
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_LONG_INTEGER = b"0" * 19
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_TOML_START = re.compile(r"(?:[\w.\"'-]+[ \t]*=|\[\[?[\w. \"'-]+\]\]?[ \t]*\r?(?:\n|\Z|#))")
_YAML_START = re.compile(r"(?:---|%YAML|- |-\r?\n|\? |&|!|[^\s:#,\[\]{}][^\n]*?:(?:[ \t\r\n]|\Z))")
# Possessive throughout: with backtracking, 50 MB of blank lines took 18 s and 6 GB.
_COMMENTS = re.compile(r"(?:\s++|#[^\n]*+)*+")
_TOML_TEXT = re.compile(
    r'''"""(?:[^\\"]++|\\.|"(?!""))*+(?:"""|\\?\Z)|'{3}(?:[^']++|'(?!''))*+(?:'{3}|\Z)'''
    r"""|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+'|#[^\n]*+""",
    re.DOTALL,
)
_TOML_MARKS = re.compile(r"[\[\]{}=,]")
_TOML_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++\s*+\.\s*+){{{MAX_DEPTH}}}")


class Decoded(Frozen):
    """One decoded file. ``value`` is a tree; for ``jsonl`` the list of its lines' trees, for ``text`` the text itself (of httprr its bytes).

    ``data`` is what was decoded: the file's bytes, unpacked if they were compressed, without a byte order mark.
    """

    kind: Kind
    value: Plain
    data: bytes


def decode(data: bytes) -> Decoded:
    """Return the plain value of a file. Raises ``DecodeError``: ``load`` for bytes that are no text, ``decode`` for a broken document."""
    data = _unpacked_file(data)
    if data.startswith(_HTTPRR):
        return Decoded(kind="text", value=data, data=data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DecodeError("load", f"binary data, or a text that is not UTF-8 (byte {error.start:,})") from error
    if not text or text.isspace():
        raise DecodeError("load", "the file is empty")
    if "\0" in text:
        raise DecodeError("load", f"binary data (a zero byte at position {text.index(chr(0)):,})")
    kind, value = _document(data, text)
    return Decoded(kind=kind, value=value, data=data)


def decode_body(data: bytes | str) -> Plain:
    """Return the value of an HTTP body: a tree where it is a JSON object or array, else text, else bytes. Never fails."""
    text = body_text(data)
    if isinstance(text, str) and text.lstrip()[:1] in ("{", "["):
        try:
            return load_json(text)
        except DecodeError:
            return text
    return text


def body_text(data: bytes | str) -> str | bytes:
    """Return an HTTP body without its compression: as text where it is one, else bytes. Never fails.

    Compression is told by its magic bytes: recorded ``content-encoding`` headers say gzip of 804 plain bodies in public cassettes.
    """
    if isinstance(data, str):
        return data
    unpacked = _unpacked_body(data)
    text = _as_text(unpacked)
    return unpacked if text is None else text


def load_json(source: bytes | str) -> Plain:
    """Read a JSON document as a tree, integers exact at any size. Raises ``DecodeError`` (decode)."""
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    lists, objects = raw.count(b"["), raw.count(b"{")
    if lists + objects > MAX_NODES:
        raise DecodeError("decode", f"the document holds more than {MAX_NODES:,} lists and objects")
    # orjson reads integers beyond 64 bits as floats, and refuses NaN and lone surrogates; the standard library does neither.
    value = _standard_json(raw) if _LONG_INTEGER in raw.translate(_DIGITS) else _fast_json(raw)
    if lists + objects > MAX_DEPTH:
        _check_depth(value)
    return value


def _unpacked_file(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise DecodeError("load", f"the file has {len(data):,} bytes; files over {MAX_BYTES:,} are not read")
    if data.startswith(_GZIP):
        try:
            data = _gunzip(data)
        except (OSError, EOFError, zlib.error) as error:
            raise DecodeError("load", f"the gzip data is damaged ({error})") from error
    if data.startswith(_LFS):
        raise DecodeError("load", "a Git LFS pointer: the content is not here, fetch it with `git lfs pull`")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(codecs.BOM_UTF8)


def _gunzip(data: bytes) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        unpacked = stream.read(MAX_UNPACKED + 1)
    if len(unpacked) > MAX_UNPACKED:
        raise DecodeError("load", f"the gzip data unpacks to more than {MAX_UNPACKED:,} bytes")
    return unpacked


def _document(data: bytes, text: str) -> tuple[Kind, Plain]:
    start = _COMMENTS.match(text)
    first = start.end() if start else 0
    if text.startswith(("{", "["), first):
        return _bracketed(data, text, first)
    if _TOML_START.match(text, first):
        return "toml", _toml(text)
    if _YAML_START.match(text, first):
        value = load_yaml(data, max_depth=MAX_DEPTH, max_nodes=MAX_NODES)
        if isinstance(value, (dict, list)):
            return "yaml", value
    return "text", text


def _bracketed(data: bytes, text: str, first: int) -> tuple[Kind, Plain]:
    """Read JSON, JSON Lines, a TOML table, or YAML in flow style; where it is none of them, the complaint is about the JSON."""
    try:
        return "json", load_json(data)
    except DecodeError:
        lines = _lines(data)
        if lines is not None:
            return "jsonl", lines
        if _TOML_START.match(text, first):
            return "toml", _toml(text)
        # YAML in flow style over many pages is nobody's output; truncated JSON of that size is common, and slow to parse as YAML.
        if len(data) <= _SMALL_YAML and not text.startswith(('{"', "[{"), first):
            with suppress(DecodeError):
                value = load_yaml(data, max_depth=MAX_DEPTH, max_nodes=MAX_NODES)
                if isinstance(value, (dict, list)):
                    return "yaml", value
        raise


def _lines(data: bytes) -> list[Plain] | None:
    """Read JSON Lines, split on line feeds only: a U+2028 inside a string is no end of a line. None where the first line is not JSON.

    Raises ``DecodeError`` (decode) that names the first broken line.
    """
    if data.count(b"[") + data.count(b"{") > MAX_NODES:
        return None
    values: list[Plain] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(load_json(line))
        except DecodeError as error:
            if not values:
                return None
            raise DecodeError("decode", f"line {number:,} is {error.reason}") from error
    return values


def _fast_json(raw: bytes) -> Plain:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if "recursion limit" in error.msg.lower():
            raise DecodeError("decode", f"values are nested deeper than {MAX_DEPTH} levels") from error
        if b"NaN" in raw or b"Infinity" in raw or b"\\u" in raw or b"\xed" in raw:
            return _standard_json(raw)
        raise DecodeError("decode", _json_problem(error)) from error


def _standard_json(raw: bytes) -> Plain:
    try:
        value = json.loads(_SURROGATE.sub("\ufffd", raw.decode("utf-8", "surrogatepass")), parse_int=_integer)
    except json.JSONDecodeError as error:
        raise DecodeError("decode", _json_problem(error)) from error
    except UnicodeDecodeError as error:
        raise DecodeError("decode", f"not valid JSON: not UTF-8 (byte {error.start:,})") from error
    except RecursionError as error:
        raise DecodeError("decode", f"values are nested deeper than {MAX_DEPTH} levels") from error
    _check_depth(value)
    return _without_surrogates(value) if b"\\u" in raw else value


def _integer(digits: str) -> int | str:
    """Read an integer of any sensible size; beyond Python's own limit for conversions (4,300 digits) it stays text."""
    return int(digits) if len(digits) <= 4000 else digits


def _without_surrogates(value: Plain) -> Plain:
    """Replace lone surrogates: half of a character, as cut by a recorder, becomes U+FFFD: a lone surrogate cannot be written out again."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _without_surrogates(item) for key, item in value.items()}
    return value


def _json_problem(error: json.JSONDecodeError) -> str:
    return f"not valid JSON: {error.msg.split(':')[0].lower()} (line {error.lineno:,}, column {error.colno:,})"


def _check_depth(value: Plain) -> None:
    level: list[Plain] = [[value]]  # the document may be a mere number
    for _ in range(MAX_DEPTH + 2):
        level = [
            item
            for holder in level
            for item in (holder.values() if type(holder) is dict else holder)
            if type(item) is dict or type(item) is list
        ]
        if not level:
            return
    raise DecodeError("decode", f"values are nested deeper than {MAX_DEPTH} levels")


def _toml(text: str) -> Plain:
    """Read TOML as a tree. Its parser is slow, recurses, and is quadratic in dotted keys, so all of that is measured beforehand."""
    if len(text) > _MAX_TOML:
        raise DecodeError("decode", f"TOML of more than {_MAX_TOML:,} characters is not read")
    outside = _TOML_TEXT.sub("_", text)
    depth = 0
    for values, mark in enumerate(_TOML_MARKS.finditer(outside)):
        depth += (mark[0] in "[{") - (mark[0] in "]}")
        if depth > MAX_DEPTH:
            raise DecodeError("decode", f"values are nested deeper than {MAX_DEPTH} levels")
        if values > _MAX_TOML_VALUES:
            raise DecodeError("decode", f"the document holds more than {_MAX_TOML_VALUES:,} values")
    if _TOML_LONG_KEY.search(outside):
        raise DecodeError("decode", f"a key has more than {MAX_DEPTH} parts")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise DecodeError("decode", f"not valid TOML: {error}") from error


def _unpacked_body(data: bytes) -> bytes:
    """Return a body without its compression; unchanged where it has none that can be read here."""
    try:
        if data.startswith(_GZIP):
            return _gunzip(data)
        if data[:1] == b"\x78" and len(data) > 2 and int.from_bytes(data[:2]) % 31 == 0:
            inflater = zlib.decompressobj()
            unpacked = inflater.decompress(data, MAX_UNPACKED)
            return unpacked if inflater.eof else data
        if data.startswith(_ZSTD):
            return _unzstd(data)
    except (OSError, EOFError, zlib.error, DecodeError):
        return data
    return data if _as_text(data) is not None else _unbrotli(data)


def _as_text(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text.removeprefix("\ufeff")


def _unzstd(data: bytes) -> bytes:
    """Unpack Zstandard, where ``zstandard`` is installed."""
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        return data
    unpacker = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()
    unpacked = bytearray()
    try:
        for start in range(0, len(data), _ZSTD_STEP):
            unpacked += unpacker.decompress(data[start : start + _ZSTD_STEP])
            if unpacker.eof:
                return bytes(unpacked)
            if len(unpacked) > MAX_UNPACKED:
                return data
    except zstandard.ZstdError:
        return data
    return data  # it was cut short


def _unbrotli(data: bytes) -> bytes:
    """Unpack Brotli, where ``brotli`` is installed. It has no magic bytes, so what comes out must be text."""
    try:
        brotli = importlib.import_module("brotli")
    except ImportError:
        return data
    try:
        decompressor = brotli.Decompressor()
        unpacked: bytes = decompressor.process(data, output_buffer_limit=MAX_UNPACKED)
    except brotli.error:
        return data
    return unpacked if decompressor.is_finished() and _as_text(unpacked) is not None else data
