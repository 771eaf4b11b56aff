"""Secrets are masked by their shape or place; placeholders and everything else stay."""

import json
import random
import string
import time

import pytest
import yaml

from reviewlib.leaks.marks import digest
from reviewlib.redact import credential, mask, mask_form, mask_headers, mask_text, mask_uri, suspicious

ALPHABET = string.ascii_letters + string.digits


def made_up(length: int, alphabet: str = ALPHABET) -> str:
    """A value that looks like a secret and is none: made anew from a fixed seed, so that no file holds one."""
    return "a1" + "".join(random.Random(length).choices(alphabet, k=length - 2))


JWT = f"eyJ{made_up(20)}.eyJ{made_up(30)}.{made_up(40)}"
SHAPES = [
    ("sk-ant-" + "api03-" + made_up(40), "api-key"),
    ("sk-proj-" + made_up(40), "api-key"),
    ("sk-or-v1-" + made_up(40), "api-key"),
    ("sk-" + made_up(48), "api-key"),
    ("AIza" + made_up(35), "api-key"),
    ("gsk_" + made_up(52), "api-key"),
    ("xai-" + made_up(60), "api-key"),
    ("hf_" + made_up(34), "api-key"),
    ("sk_live_" + made_up(24), "api-key"),
    ("AKIA" + made_up(18, "ABCDEF234567").upper()[-16:], "aws-key"),
    ("ghp_" + made_up(36), "github-token"),
    ("ghs_" + made_up(40), "github-token"),
    ("github_pat_" + made_up(60), "github-token"),
    ("glpat-" + made_up(20), "gitlab-token"),
    ("xoxb-" + made_up(30), "slack-token"),
    ("ya29." + made_up(50), "google-token"),
    (JWT, "jwt"),
]


@pytest.mark.parametrize(("secret", "kind"), SHAPES, ids=lambda value: value[:12])
@pytest.mark.parametrize("around", ["{}", "key={}&x=1", '{{"k": "{}"}}', "see {}.", "({})", "\n{}\n", "k:{},"])
def test_well_known_shapes_are_masked_wherever_they_stand(secret, kind, around):
    text = around.format(secret)
    masked = mask_text(text)
    assert secret not in masked
    assert masked.startswith(around.format("\0").split("\0")[0] + f"[masked:{kind}:{digest(secret)}]")
    assert suspicious(text)
    assert suspicious(text.encode())
    assert mask_text(masked) == masked


def escaped(text: str) -> str:
    """The text in JSON, every letter of it written as an escape."""
    return '"' + "".join(f"\\u{ord(letter):04x}" for letter in text) + '"'


def folded(text: str) -> str:
    """The text in YAML lines as narrow as they come."""
    return yaml.safe_dump({"text": f"a few words before {text} and a few after it"}, width=8)


WRITERS = {
    "json": json.dumps,
    "json in json": lambda text: json.dumps(json.dumps({"text": f"one\n{text}\ttwo"})),
    "escapes": escaped,
    "escapes in json": lambda text: json.dumps(escaped(text)),
    "yaml": folded,
    "yaml, double quotes": lambda text: yaml.safe_dump({"text": f"é {text}\n"}, default_style='"', width=8),
    "json in yaml": lambda text: folded(json.dumps({"text": f"one\n{text}"})),
}
MEMBERS = [
    "access_token",
    "refresh_token",
    "id_token",
    "session_token",
    "sessionToken",
    "client_secret",
    "client_assertion",
]
MEMBERS += [
    "secret_access_key",
    "secretAccessKey",
    "api_key",
    "apikey",
    "apiKey",
    "private_key",
    "Access_Token",
    "API_KEY",
]


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize(
    "text", [*(secret for secret, _ in SHAPES), f"Bearer {made_up(30)}"], ids=lambda text: text[:12]
)
def test_the_search_of_a_file_finds_a_secret_however_the_file_is_written(write, text):
    assert mask_text(text) != text
    assert suspicious(write(text))
    assert suspicious(write(text).encode())


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("name", MEMBERS)
def test_the_search_of_a_file_finds_the_names_of_members_that_hold_secrets(write, name):
    assert mask({name: "opaque"}) != {name: "opaque"}
    assert suspicious(write(json.dumps({name: "opaque"})))


@pytest.mark.parametrize(
    "file",
    [
        *("client secrets", "max_tokens and prompt_token_count", "a task_id", "book_list", "disk-based", "unbearably"),
        *('{"a": "\\u003cb\\u003e \\u0026 \\n"}', "eyJhbGciOiJIUzI1NiJ9", "www-authenticate: Bearer", "the hf_hub"),
    ],
)
def test_ordinary_files_are_not_searched_text_by_text(file):
    assert not suspicious(file)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "a task-specific answer",
            "risk-adjusted-return-on-capital-employed-2026",
            "use sk-... as the key",
            "sk-fake-000",
        ),
        *(
            "sk-ant-fake-000",
            "max_tokens and total_tokens",
            "the bearer of bad news arrived",
            "Bearer authentication-is-required",
        ),
        *("toolu_01wXtnRuLuJTwJLtzoTDfVT0", "msg_01KrQDwiHo5XUdbG1cRsghak", "chatcmpl-aYtFUKtPWybGr8P4iVBrJVUkSllqy"),
        *("AKIA is a prefix", "ghp_short", "eyJhbGciOiJIUzI1NiJ9", "hf_hub_download", "call_T3T9Di29E1ovVfEKov8E4fCq"),
        *("0a58059a4001cfa8" * 4, "d6d1b3f2-0000-4000-8000-000000000000", "-----BEGIN CERTIFICATE-----", "naïve ✓"),
    ],
)
def test_ordinary_words_and_ids_stay(text):
    assert mask_text(text) == text


def test_a_bearer_token_is_masked_and_its_word_stays():
    token = made_up(18)
    masked = f"curl -H 'Authorization: Bearer [masked:bearer:{digest(token)}]'"
    assert mask_text(f"curl -H 'Authorization: Bearer {token}'") == masked


@pytest.mark.parametrize("newline", ["\n", "\\n"])
@pytest.mark.parametrize("kind", ["", "RSA ", "OPENSSH ", "ENCRYPTED "])
def test_private_key_blocks_are_masked_whole(newline, kind):
    dashes = "-" * 5
    block = newline.join(
        [
            f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}",
            made_up(64),
            made_up(60) + "==",
            f"{dashes}END {kind}PRIVATE KEY{dashes}",
        ]
    )
    assert mask_text(f"before {block} after") == f"before [masked:private-key:{digest(block)}] after"
    half = block.rpartition(newline)[0]
    assert made_up(64) not in mask_text(f'{{"k": "{half}", "next": 1}}')
    assert mask_text(f'{{"k": "{half}", "next": 1}}').endswith('", "next": 1}')


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *[
            ("authorization", "authorization"),
            ("Authorization", "authorization"),
            ("proxy-authorization", "authorization"),
        ],
        *[
            ("x-api-key", "api-key"),
            ("api-key", "api-key"),
            ("x-goog-api-key", "api-key"),
            ("ocp-apim-subscription-key", "api-key"),
        ],
        *[("cookie", "cookie"), ("Set-Cookie", "cookie"), ("x-amz-security-token", "token"), ("x-auth-token", "token")],
        *[("x-csrf-token", "token"), ("my-api-key", "api-key"), ("x-client-secret", "secret")],
    ],
)
def test_headers_that_carry_credentials_are_masked(name, kind):
    assert mask_headers({name: "Bearer sk-fake-000"}) == {name: f"[masked:{kind}]"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[
            ("content-type", "application/json"),
            ("anthropic-ratelimit-tokens-remaining", "3945"),
            ("x-ratelimit-limit-tokens", "10"),
        ],
        *[
            ("request-id", "req_011CSHoEeqs5C35K2UUqR7Fy"),
            ("openai-organization", "user-abc"),
            ("www-authenticate", "Bearer"),
        ],
        *[
            ("authorization", word)
            for word in ("<redacted>", "REDACTED", "PLACEHOLDER", "Bearer <redacted>", "[FILTERED]", "***")
        ],
        *[
            ("authorization", word)
            for word in ("AUTHORIZATION-XXX", "${API_KEY}", "{{token}}", "DUMMY", "", "Bearer test", "SCRUBBED")
        ],
        *[
            ("x-api-key", "X-API-KEY-XXX"),
            ("x-api-key", "[masked:api-key]"),
            ("cookie", "%COOKIE%"),
            ("cookie", "session=<redacted>"),
        ],
    ],
)
def test_other_headers_and_placeholders_stay(name, value):
    assert mask_headers({name: value}) == {name: value}


@pytest.mark.parametrize("value", ["-" + made_up(30) + "-", "_" + made_up(30) + "_", "(" + made_up(30) + ")"])
def test_a_secret_that_only_begins_like_a_placeholder_is_masked(value):
    assert mask_headers({"authorization": value}) == {"authorization": f"[masked:authorization:{digest(value)}]"}


@pytest.mark.parametrize(
    ("uri", "masked"),
    [
        ("https://h/v1?key=abc&alt=sse", "https://h/v1?key=[masked:query]&alt=sse"),
        ("https://h/v1?alt=sse&api_key=abc", "https://h/v1?alt=sse&api_key=[masked:query]"),
        ("https://h/v1?access_token=a.b-c#top", "https://h/v1?access_token=[masked:query]#top"),
        ("https://h/b?X-Amz-Signature=ab12&x=1", "https://h/b?X-Amz-Signature=[masked:query]&x=1"),
        ("https://me:pass@h/v1", "https://[masked:userinfo]@h/v1"),
        ("https://h/v1?key=<redacted>", "https://h/v1?key=<redacted>"),
        ("https://h/v1/messages?max_tokens=5&monkey=1", "https://h/v1/messages?max_tokens=5&monkey=1"),
        (f"https://h/{SHAPES[0][0]}/x", f"https://h/[masked:api-key:{digest(SHAPES[0][0])}]/x"),
        ("<OLLAMA_API_BASE>/chat/completions", "<OLLAMA_API_BASE>/chat/completions"),
    ],
)
def test_credentials_in_addresses_are_masked(uri, masked):
    assert mask_uri(uri) == masked


def test_credentials_in_forms_are_masked():
    form = "grant_type=refresh_token&client_secret=abc&refresh_token=d%2Fe&client_id=me"
    assert (
        mask_form(form)
        == "grant_type=refresh_token&client_secret=[masked:form]&refresh_token=[masked:form]&client_id=me"
    )


def test_trees_are_masked_in_depth_and_by_the_names_of_their_members():
    tree = {
        "access_token": "opaque",
        "Refresh_Token": "opaque",
        "api_key": "<redacted>",
        "client_secret": None,
        "max_tokens": 5,
        "token": "an argument of a tool",
        "steps": [{"text": f"use {SHAPES[0][0]}"}, 1.5, None, b"\x00", ["x"]],
        SHAPES[1][0]: True,
    }
    assert mask(tree) == {
        "access_token": "[masked:token]",
        "Refresh_Token": "[masked:token]",
        "api_key": "<redacted>",
        "client_secret": None,
        "max_tokens": 5,
        "token": "an argument of a tool",
        "steps": [{"text": f"use [masked:api-key:{digest(SHAPES[0][0])}]"}, 1.5, None, b"\x00", ["x"]],
        f"[masked:api-key:{digest(SHAPES[1][0])}]": True,
    }


def test_what_holds_no_secret_is_the_same_object():
    tree = {"messages": [{"role": "user", "content": "Refund order 4471"}], "n": [1, [2.5, None]], "e": {}, "l": []}
    assert mask(tree) is tree
    assert mask("words") == "words"
    assert mask(12) == 12


def test_only_the_branch_that_changed_is_new():
    tree = {"a": {"x": ["y"]}, "b": SHAPES[0][0]}
    masked = mask(tree)
    assert masked["a"] is tree["a"]
    assert tree["b"] == SHAPES[0][0]


def test_text_that_only_looks_suspicious_is_masked_in_linear_time():
    begun = time.perf_counter()
    for text in (
        "-----BEGIN PRIVATE KEY-----" * 4000,
        "eyJ" * 100_000,
        "eyJaaaaaaaa." * 20_000,
        "sk-" * 100_000,
        "Bearer " * 50_000,
    ):
        mask_text(text)
    for text in ("?key=" * 50_000, "://a:" * 5_000, "&" * 100_000):
        mask_uri(text)
        mask_form(text)
    mask_headers({"authorization": "<" * 200, "cookie": "redacted-" * 22, "x-api-key": "-" * 100_000})
    assert time.perf_counter() - begun < 3


def test_clean_text_costs_almost_nothing():
    text = '{"role": "assistant", "content": "The order was delivered on the second of November."} ' * 12_000
    begun = time.perf_counter()
    assert mask_text(text) is text
    assert time.perf_counter() - begun < 0.3  # 1 MB in about 15 ms


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ("__cf_bm=" + made_up(40) + "; path=/; HttpOnly", "[masked:cookie]"),
        ("AWSALB=" + made_up(40) + ", _cfuvid=" + made_up(30), "[masked:cookie]"),
        (
            "sid=" + made_up(40) + "; path=/; expires=Wed, 21 Oct 2026 07:28:00 GMT",
            f"[masked:cookie:{digest(made_up(40))}]",
        ),
        ("_ga=GA1.2.3; sid=" + made_up(40), f"[masked:cookie:{digest(made_up(40))}]"),
        ("theme=dark; lang=en", "[masked:cookie]"),
    ],
)
def test_cookies_that_name_no_session_are_masked_and_no_secret(value, masked):
    assert mask_headers({"set-cookie": value}) == {"set-cookie": masked}


def test_two_secrets_in_one_place_are_not_masked_alike():
    one, other = (mask_headers({"authorization": f"Bearer {made_up(size)}"}) for size in (40, 41))
    assert one != other


def test_a_token_has_one_digest_in_a_header_and_in_a_text():
    token = SHAPES[0][0]
    assert mask_headers({"x-api-key": token})["x-api-key"] == mask_text(token)
    assert mask_headers({"authorization": f"Bearer {token}"})["authorization"].endswith(f":{digest(token)}]")


def test_masking_twice_changes_nothing_more():
    user = f"me:{made_up(24)}"
    for text in (f"https://{user}@h/v1?key={made_up(30)}&x=1", f"https://h/?token={made_up(12)}#top"):
        assert mask_uri(mask_uri(text)) == mask_uri(text)
    form = f"client_secret={made_up(30)}&x=1"
    assert mask_form(mask_form(form)) == mask_form(form)


@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "refresh_token", "key", "x-my-token", "Set-Cookie"])
def test_a_field_carries_a_credential_by_its_name(name):
    assert credential(name)


@pytest.mark.parametrize("name", ["content-type", "max_tokens", "monkey", "keys", "token_count", "model"])
def test_other_fields_carry_none(name):
    assert credential(name) is None
