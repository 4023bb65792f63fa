"""The names, arguments, limits and annotations of MCP's tools (K13-K16, F§3, F§8, F§9, F§10)."""

import re
from typing import Any

import jsonschema
import pytest
from mcp import types

from app.surfaces.dialects import TOOLS
from app.surfaces.mcp.profiles import ToolProfile, listed
from app.surfaces.mcp.tool import Tool, find
from graph.tenancy.models import Principal, Scope

ADMINISTRATOR = Principal(key_id="key_1", name="a", workspace_id="ws_1", scopes=frozenset(Scope))
BY_NAME = {tool.name: tool for tool in TOOLS}
K13 = {
    "store_memory", "update_memory", "delete_memory",
    "omniroute_memory_search", "omniroute_memory_add", "omniroute_memory_clear",
    "memory.search", "memory.context", "memory.annotate", "memory.metric_create", "memory.benchmark_get",
    "workspace.enable_memory", "workspace.disable_memory", "move_conversation",
    "x_save_memory", "x_recall_memory", "x_workspace_search",
}  # fmt: skip
AGENTS = {"remember", "recall", "context", "forget", "relate", "record", "ask", "get"}
FULL_ONLY = {"list_changes", "undo_change", "profile"}
OLDER = {
    "memory.recall": "recall", "memory.get": "get", "memory.associate": "relate", "memory.before_acting": "context",
    "memory.record_actions": "record",
}  # fmt: skip
HOSTS_TAKE = re.compile(r"[a-zA-Z0-9_-]{1,64}")

# Arguments as in the sources: type and other promises. A star marks required ones.
ARGUMENTS: dict[str, dict[str, dict[str, Any]]] = {
    "store_memory": {
        "content*": {"type": "string", "minLength": 1, "maxLength": 1999},
        "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        "importance": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5},
        "embedding": {"type": "array", "items": {"type": "number"}},
        "metadata": {"type": "object", "default": {}},
        "timestamp": {"type": "string", "format": "date-time"},
    },
    "update_memory": {
        "memory_id*": {"type": "string"},
        "content": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "importance": {"type": "number", "minimum": 0, "maximum": 1},
        "metadata": {"type": "object"},
        "timestamp": {"type": "string", "format": "date-time"},
        "updated_at": {"type": "string", "format": "date-time"},
        "last_accessed": {"type": "string", "format": "date-time"},
        "type": {
            "type": "string",
            "enum": ["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context"],
        },
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "delete_memory": {"memory_id*": {"type": "string"}},
    "omniroute_memory_search": {
        "apiKeyId*": {"type": "string"},
        "query": {"type": "string"},
        "type": {"type": "string", "enum": ["factual", "episodic", "procedural", "semantic"]},
        "maxTokens": {"type": "integer"},
        "limit": {"type": "integer"},
    },
    "omniroute_memory_add": {
        "apiKeyId*": {"type": "string"},
        "sessionId": {"type": "string"},
        "type*": {"type": "string", "enum": ["factual", "episodic", "procedural", "semantic"]},
        "key*": {"type": "string"},
        "content*": {"type": "string"},
        "metadata": {"type": "object"},
    },
    "omniroute_memory_clear": {
        "apiKeyId*": {"type": "string"},
        "type": {"type": "string", "enum": ["factual", "episodic", "procedural", "semantic"]},
        "olderThan": {"type": "string", "format": "date-time"},
    },
    "memory.search": {"query*": {"type": "string"}, "limit": {"type": "integer"}},
    "memory.context": {"query*": {"type": "string"}, "limit": {"type": "integer"}},
    "memory.annotate": {
        "pattern_id*": {"type": "string"},
        "note": {"type": "string"},
        "suppressed": {"type": "boolean"},
    },
    "memory.metric_create": {"name*": {"type": "string"}, "definition*": {"type": "object"}},
    "memory.benchmark_get": {
        "metric*": {"type": "string"},
        "days": {"type": "integer", "default": 30, "minimum": 1, "maximum": 365},
    },
    "workspace.enable_memory": {},
    "workspace.disable_memory": {},
    "move_conversation": {"conversation_id*": {"type": "string"}, "workspace_id*": {"type": "string"}},
    "x_save_memory": {"content*": {"type": "string"}, "category": {"type": "string"}},
    "x_recall_memory": {
        "query*": {"type": "string"},
        "offset": {"type": "integer", "default": 0},
        "limit": {"type": "integer", "default": 5},
    },
    "x_workspace_search": {
        "query*": {"type": "string"},
        "offset": {"type": "integer"},
        "limit": {"type": "integer"},
    },
}


def shown(name: str) -> types.Tool:
    return BY_NAME[name].shown(ADMINISTRATOR)


def test_the_list_of_tools_is_complete() -> None:
    """K13."""
    assert set(BY_NAME) == K13 | AGENTS | FULL_ONLY
    assert len(TOOLS) == len(BY_NAME)


def test_the_default_profile_has_eight_tools_with_portable_names() -> None:
    names = [tool.name for tool in listed(TOOLS, ToolProfile.AGENT)]

    assert set(names) == AGENTS
    assert len(names) == 8
    assert all(HOSTS_TAKE.fullmatch(name) for name in names)


@pytest.mark.parametrize(
    ("profile", "sources"),
    [
        (ToolProfile.AUTOMEM, {"store_memory", "update_memory", "delete_memory"}),
        (ToolProfile.OMNIROUTE, {name for name in K13 if name.startswith("omniroute_")}),
        (ToolProfile.XEROTIER, {name for name in K13 if name.startswith("x_")}),
        (ToolProfile.OXAGEN, {name for name in K13 if "." in name}),
        (ToolProfile.FULL, K13),
    ],
)
def test_the_profile_of_a_system_shows_its_own_names(profile: ToolProfile, sources: set[str]) -> None:
    """K13."""
    names = {tool.name for tool in listed(TOOLS, profile)}

    assert names >= sources
    assert profile is ToolProfile.FULL or names - sources <= AGENTS


def test_every_tool_has_a_name_that_every_host_takes() -> None:
    names = [(tool.name, *tool.aliases) for tool in TOOLS]

    assert [known for known in names if not any(map(HOSTS_TAKE.fullmatch, known))] == []
    assert len({name for known in names for name in known}) == sum(map(len, names))


@pytest.mark.parametrize(("older", "name"), OLDER.items())
def test_names_with_dots_are_found_as_before(older: str, name: str) -> None:
    assert find(TOOLS, older) is BY_NAME[name]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_description_states_the_purpose_of_its_tool(tool: Tool) -> None:
    assert re.match(r"Use it (when|before|after) ", tool.description)


def test_every_tool_of_the_sources_has_its_arguments_pinned() -> None:
    assert set(ARGUMENTS) == K13


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_a_tools_arguments_match_its_source(name: str) -> None:
    """K13, K15, K16, G8-G11, F§3, F§8, F§9, F§10."""
    promised = ARGUMENTS[name]

    schema = shown(name).inputSchema

    assert schema["type"] == "object"
    owners = {"user_id", "agent_id"}  # of every tool
    assert set(schema["properties"]) - owners == {written.rstrip("*") for written in promised}
    assert set(schema.get("required", ())) == {
        written.rstrip("*") for written in promised if written.endswith("*")
    }
    for written, form in promised.items():
        has = schema["properties"][written.rstrip("*")]
        assert {key: has.get(key) for key in form} == form, written


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_use_only_features_that_every_client_supports(tool: Tool) -> None:
    """K13: JSON Schema without references; each argument has a description or an obvious name."""
    told = tool.shown(ADMINISTRATOR)

    jsonschema.Draft202012Validator.check_schema(told.inputSchema)
    assert "$ref" not in repr(told.inputSchema)
    assert told.description
    assert told.title or tool.title.lower() == tool.name


def test_tools_that_programs_read_name_the_members_of_their_results() -> None:
    """Issue 35 point 21: compact, and valid for errors as well, since clients validate results."""
    schemas = {tool.name: tool.shown(ADMINISTRATOR).outputSchema for tool in TOOLS}
    structured = {name: schema for name, schema in schemas.items() if schema is not None}

    for schema in structured.values():
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate({"error": {"code": "NOT_FOUND", "field": None, "message": "none"}}, schema)
    assert structured["record"] == {
        "type": "object",
        "properties": {"recorded": {}, "targets_unknown": {}, "skipped": {}},
    }
    assert schemas.keys() - structured.keys() == {
        "recall", "context", "ask", "x_save_memory", "x_recall_memory", "x_workspace_search",
    }  # fmt: skip


@pytest.mark.parametrize("tool", listed(TOOLS, ToolProfile.AGENT), ids=lambda tool: tool.name)
def test_every_argument_of_a_listed_tool_is_described(tool: Tool) -> None:
    """Issue 35 point 21."""
    schema = tool.shown(ADMINISTRATOR).inputSchema
    nested = [each.get("items", {}).get("properties", {}) for each in schema["properties"].values()]
    known = {name: each for of in (schema["properties"], *nested) for name, each in of.items()}

    assert [name for name, each in known.items() if not each.get("description")] == []


def hints(name: str) -> tuple[bool | None, ...]:
    told = shown(name).annotations
    assert told is not None
    defaults = {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    has = defaults | told.model_dump(exclude_none=True)
    if has["readOnlyHint"]:
        has |= {"destructiveHint": False, "idempotentHint": True}  # the protocol gives them no meaning then
    return tuple(has[name] for name in defaults)


def test_delete_memory_is_destructive_and_idempotent() -> None:
    """K14."""
    assert hints("delete_memory") == (False, True, True, False)


def test_every_tool_states_its_effect_on_the_workspace() -> None:
    """K13, K14."""
    reading = {name for name in BY_NAME if hints(name)[0]}
    removing = {name for name in BY_NAME if hints(name)[1]}
    adding = {name for name in BY_NAME if not hints(name)[2]}

    assert reading == {name for name, tool in BY_NAME.items() if tool.scope is Scope.READ}
    assert removing == {"delete_memory", "forget", "omniroute_memory_clear"}
    assert adding == {"store_memory", "remember", "x_save_memory", "record"}
    assert {hints(name)[3] for name in BY_NAME} == {False}


def test_the_workspace_sets_the_default_length_of_a_context() -> None:
    """M4."""
    assert "default" not in shown("context").inputSchema["properties"]["max_tokens"]


def test_a_key_id_argument_describes_the_callers_key() -> None:
    """K16: otherwise a model could not know it."""
    described = shown("omniroute_memory_add").inputSchema["properties"]["apiKeyId"]["description"]

    assert described.endswith("This caller's own is key_1.")
