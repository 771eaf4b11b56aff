"""The file that says how people sign in on a shared server: the ``[auth]`` section of Streamlit's own secrets."""

import ipaddress
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from reviewlib.errors import UsageError
from reviewlib.model.frozen import Frozen

_WANTED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
_CALLBACK = "/oauth2callback"
_LONG_ENOUGH = 32
"""Characters of the secret that signs the cookie; who guesses it can be anybody."""


class Login(Frozen):
    """How people sign in. ``file`` is given to Streamlit, ``origin`` (``https://review.example.org``) is where they find the server."""

    file: Path
    origin: str

    @property
    def host(self) -> str:
        """The name under which the server is known."""
        return urlsplit(self.origin).hostname or ""

    @property
    def encrypted(self) -> bool:
        """Whether browsers reach the server by TLS."""
        return self.origin.startswith("https:")


def read_login(file: Path) -> Login:
    """Read the file, and check what would otherwise fail at the first visitor.

    Raises:
        UsageError: it is not there, or cannot be used as written. No value of the file is in the message but addresses.

    """
    auth = _section(file)
    missing = [name for name in _WANTED if not isinstance(auth.get(name), str) or not auth[name]]
    if missing:
        raise UsageError(f"[auth] in {file} lacks {', '.join(missing)}; docs/team.md shows a whole file.")
    if len(auth["cookie_secret"]) < _LONG_ENOUGH:
        raise UsageError(
            f"cookie_secret in {file} has fewer than {_LONG_ENOUGH} characters, and who guesses it signs in as anybody; "
            'make one: python -c "import secrets; print(secrets.token_urlsafe(32))"'
        )
    if auth.get("expose_tokens"):
        raise UsageError(
            f"expose_tokens in {file} would hand the provider's tokens to the page, which needs none; remove it."
        )
    _address(auth["server_metadata_url"], "server_metadata_url", file)
    back = _address(auth["redirect_uri"], "redirect_uri", file)
    if back.path != _CALLBACK or back.query or back.fragment:
        raise UsageError(
            f"redirect_uri in {file} is {auth['redirect_uri']!r}; it has to be where people find this server, and end in {_CALLBACK}, "
            f"like https://review.example.org{_CALLBACK}"
        )
    return Login(file=file.resolve(), origin=f"{back.scheme}://{back.netloc}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def _section(file: Path) -> Mapping[str, Any]:
    try:
        text = file.expanduser().read_text(encoding="utf-8")
        auth = tomllib.loads(text).get("auth")
    except OSError as error:
        raise UsageError(f"--login {file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        # Neither the text nor the parser's words: they quote the line, which may be the secret.
        raise UsageError(f"--login {file} is no TOML; docs/team.md shows a whole file.") from error
    if not isinstance(auth, dict):
        raise UsageError(f"--login {file} has no [auth] section; docs/team.md shows a whole file.")
    return auth


def _address(text: str, name: str, file: Path) -> SplitResult:
    """Take an address apart; one that goes in the clear through a network is refused."""
    try:
        found = urlsplit(text)
        host = found.hostname or ""
        _ = found.port
    except ValueError as error:
        raise UsageError(f"{name} in {file} is no address.") from error
    if found.scheme not in {"http", "https"} or not host or found.username:
        raise UsageError(f"{name} in {file} is no address that begins with https://.")
    if found.scheme == "http" and not is_loopback(host):
        raise UsageError(
            f"{name} in {file} begins with http://, so whoever sees the network could sign in as somebody else; use https:// "
            "(a reverse proxy in front of this server holds the certificate)."
        )
    return found
