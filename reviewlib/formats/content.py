"""Content ids, as git computes them: of one file the id of its blob, of several the id of the tree that holds exactly them."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable


def blob_id(data: bytes, digits: int = 40) -> str:
    """Compute the id git would give these bytes; ``digits`` are those of the ids of the repository: 40 (SHA-1) or 64 (SHA-256)."""
    return _named(b"blob", data, digits)


def tree_id(entries: Iterable[tuple[str, str]]) -> str:
    """Compute the id git would give a tree of these (path, blob id) pairs, all plain files, seen from their common folder."""
    split = [(path.split("/"), blob) for path, blob in entries]
    parents = [parts[:-1] for parts, _ in split]
    shared = 0
    while all(len(parent) > shared and parent[shared] == parents[0][shared] for parent in parents):
        shared += 1
    return _tree([(parts[shared:], blob) for parts, blob in split])


def _tree(entries: list[tuple[list[str], str]]) -> str:
    folders: defaultdict[str, list[tuple[list[str], str]]] = defaultdict(list)
    lines: list[tuple[bytes, bytes]] = []
    for parts, blob in entries:
        if len(parts) == 1:
            lines.append((_bytes(parts[0]), b"100644 %s\0" % _bytes(parts[0]) + bytes.fromhex(blob)))
        else:
            folders[parts[0]].append((parts[1:], blob))
    for name, inner in folders.items():  # git sorts a folder as if its name ended in a slash
        lines.append((_bytes(name) + b"/", b"40000 %s\0" % _bytes(name) + bytes.fromhex(_tree(inner))))
    content = b"".join(line for _, line in sorted(lines))
    return _named(b"tree", content, len(entries[0][1]))


def _named(kind: bytes, data: bytes, digits: int) -> str:
    # As a name only: git's own check against forged SHA-1 collisions runs where the object is written.
    digest = hashlib.sha256() if digits > 40 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"%s %d\0" % (kind, len(data)))
    digest.update(data)
    return digest.hexdigest()


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
