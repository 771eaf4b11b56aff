"""The parts of recorded addresses, which may be anything."""

from urllib.parse import urlsplit


def host(uri: str | None) -> str:
    """Return the host of an address in lower case; empty where it has none, or is none (``http://[x``, which ``urlsplit`` refuses)."""
    try:
        return urlsplit(uri or "").hostname or ""
    except ValueError:
        return ""


def path(uri: str | None) -> str:
    """Return the path of an address; empty where it has none, or is none."""
    try:
        return urlsplit(uri or "").path
    except ValueError:
        return ""
