"""Identifiers: opaque strings with a prefix for their kind."""

import re
import secrets
import string
import uuid

# Lower case only: the full-text analyser folds case, and a workspace id is a clause of every full-text query.
_LOWER = string.ascii_lowercase + string.digits
_ALPHANUMERIC = string.ascii_letters + string.digits
_RANDOM_LENGTH = 24
_OWN_MEMORY_ID = re.compile(
    rf"mem_[A-Za-z0-9]{{{_RANDOM_LENGTH}}}|[0-9a-f]{{8}}-(?:[0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}}"
)


def new_memory_id() -> str:
    """Return ``mem_`` and 24 random alphanumeric characters."""
    return "mem_" + _random_characters(_ALPHANUMERIC)


def new_uuid() -> str:
    """Return a random UUID (version 4), the form of memory ids in OmniRoute and AutoMem."""
    return str(uuid.uuid4())


def is_own_memory_id(id_: str) -> bool:
    """Tell whether an id has the form of a generated memory id, rather than a caller's."""
    return _OWN_MEMORY_ID.fullmatch(id_) is not None


def place_of(workspace_id: str, id_: str) -> str:
    """Return the position of a node in a walk over all workspaces, which is ordered by id and then by workspace.

    The separator is a space. Ids have no space, and it sorts before all their characters, so positions sort like nodes.
    """
    return f"{id_} {workspace_id}"


def default_key_id(workspace_id: str) -> str:
    """Return the id of a workspace's default API key: its first one, and the owner of memories without a key."""
    return f"key_{workspace_id.removeprefix('ws_')}"


def new_workspace_id() -> str:
    """Return ``ws_`` and 24 random lower-case alphanumeric characters."""
    return new_id("ws")


def new_id(prefix: str) -> str:
    """Return ``<prefix>_`` and 24 random lower-case alphanumeric characters."""
    return f"{prefix}_" + _random_characters(_LOWER)


def _random_characters(alphabet: str) -> str:
    """Return random characters with one call to the generator: one call for each character takes ten times as long."""
    drawn = secrets.randbelow(len(alphabet) ** _RANDOM_LENGTH)
    characters = []
    for _ in range(_RANDOM_LENGTH):
        drawn, place = divmod(drawn, len(alphabet))
        characters.append(alphabet[place])
    return "".join(characters)
