"""Session and target of every recorded call, on all surfaces."""

import re
import time
from collections.abc import Mapping
from typing import Final

from graph.core.current_call import CurrentCall
from graph.core.errors import Conflict, Forbidden, NotFound
from graph.telemetry.models import Outcome
from graph.tenancy.models import Principal

_SESSION_HEADERS: Final = ("mcp-session-id", "x-recollect-conversation-id")
_TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_REMOVING: Final = ("forget", "delete", "clear", "erase")
_REFUSALS: Final = frozenset({Conflict.code, Forbidden.code, NotFound.code})
_TARGETS: Final = (
    ("metric", "Metric"),
    ("benchmark", "Benchmark"),
    ("annotate", "Pattern"),
    ("pattern", "Pattern"),
    ("action", "Run"),
    ("sequence", "Run"),
    ("document", "Document"),
    ("artifact", "Artifact"),
    ("message", "Conversation"),
    ("conversation", "Conversation"),
    ("hand_over", "Conversation"),
    ("handoff", "Conversation"),
    ("capture", "Conversation"),
    ("extract", "Conversation"),
    ("episode", "Episode"),
    ("ontology", "Type"),
    ("type", "Type"),
    ("entit", "Entity"),
    ("connection", "Entity"),
    ("job", "Job"),
    ("key", "Key"),
    ("setting", "Settings"),
    ("workspace", "Workspace"),
    ("enable", "Workspace"),
    ("disable", "Workspace"),
)
"""Target of a call, by the first of these words in its name; default: a memory."""
OF_THE_DEPLOYMENT: Final = frozenset(
    {"createWorkspace", "deleteWorkspace", "rotateApiKey", "limitApiKey", "revokeApiKey"}
)
"""Mutations that act on another workspace than the key's, or on another key."""


def session_of(surface: str, headers: Mapping[str, str], principal: Principal) -> str:
    """Return the session or trace in a caller's headers, else a session for its key, the surface and the hour.

    Args:
        surface: Surface of the call.
        headers: Headers by name in lower case.
        principal: Caller.
    """
    for name in _SESSION_HEADERS:
        if named := headers.get(name):
            return named
    trace = _TRACE.fullmatch(headers.get("traceparent", ""))
    if trace is not None:
        return trace[1]
    return f"{surface}-{principal.key_id}-{time.strftime('%Y%m%d%H', time.gmtime())}"


def place_of(call: CurrentCall, principal: Principal, named: str | None) -> str | None:
    """Return the workspace in which to record a call: the one that it was authorised for.

    Args:
        call: The ended call.
        principal: Caller.
        named: Workspace that the caller named, if any.

    Returns:
        The workspace; None if a call to another tenant's workspace was refused: neither workspace records it.
    """
    if call.workspace_id is not None or named in {None, principal.workspace_id}:
        return call.workspace_id or principal.workspace_id
    return None


def outcome_of(name: str, call: CurrentCall, error_code: str | None) -> Outcome:
    """Return the outcome of a call; a call without a useful result, or a refused deletion, is a dead end.

    Args:
        name: Name of the call.
        call: The ended call.
        error_code: Code of the error, if any.
    """
    if error_code is None:
        return Outcome.DEAD_END if call.is_dead_end else Outcome.SUCCESS
    lower = name.lower()
    is_refused = error_code in _REFUSALS and any(word in lower for word in _REMOVING)
    return Outcome.DEAD_END if is_refused else Outcome.ERROR


def target_of(name: str) -> str:
    """Return the type of a call's target, from the call's name."""
    lower = name.lower()
    return next((target for word, target in _TARGETS if word in lower), "Memory")


def is_left_out(name: str) -> bool:
    """Tell whether to skip a call, because it records telemetry itself or acts on no single workspace.

    The audit has the latter calls.
    """
    return "record" in name.lower() or name in OF_THE_DEPLOYMENT
