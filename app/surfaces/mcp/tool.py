"""A tool and its calls: scope, arguments, result and errors.

A tool for models returns one text. Other tools return a structured result and its JSON, without null members. Errors
are always structured, because hosts act on their code.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, ClassVar

import structlog
from mcp import types
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic.alias_generators import to_snake
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from app.surfaces.http.errors import masked
from app.surfaces.http.strict_json import read_json
from app.surfaces.tools import without_empty
from graph.core.errors import Forbidden, InvalidInput, LimitExceeded, RecollectError, Unavailable
from graph.core.text.checks import short_text, storable
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope

ERROR = "error"
"""Name of the structured content's member with the error of a failed call; no result uses this name."""
_BOUNDS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "ge",
    "format",
)


class _Brief(GenerateJsonSchema):
    """Omits titles, which repeat the names, docstrings, and null, which is equivalent to an absent member."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return False

    def generate(self, schema: core_schema.CoreSchema, mode: Any = "validation") -> JsonSchemaValue:
        made = super().generate(schema, mode)
        definitions = made.pop("$defs", {})
        for each in (made, *definitions.values()):
            each.pop("title", None)
            each.pop("description", None)
        inlined: JsonSchemaValue = _inlined(made, definitions)
        return inlined

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made


def without_bounds(schema: dict[str, Any]) -> None:
    """Remove bounds and empty defaults from a schema, to save context in many conversations; errors state them."""
    for known in schema["properties"].values():
        for name in _BOUNDS:
            known.pop(name, None)
        if not known.get("default", True):
            del known["default"]


@cache
def input_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments; do not modify it."""
    return {"properties": {}, **arguments.model_json_schema(schema_generator=_Brief)}


@cache
def output_schema(result: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's result; do not modify it.

    It lists only the names of the members, because each listed schema takes space in a model's context. No member is
    required, because clients validate structured errors against it as well.
    """
    made = result.model_json_schema(mode="serialization", schema_generator=_Brief)
    return {"type": "object", "properties": {name: {} for name in made["properties"]}}


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Inline definitions at their references, because not every client resolves them; no definition is recursive."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {
        name: _inlined(value, definitions)
        for name, value in schema.items()
        if name not in ("$ref", "additionalProperties")  # the tools refuse unknown arguments in any case
    }
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return rest
    return {**_inlined(definitions[reference.removeprefix("#/$defs/")], definitions), **rest}


_log = structlog.get_logger("recollect.mcp")

KEY_ID = "apiKeyId"
"""Name of an argument whose description includes the id of the caller's key, because a model cannot know it."""

OWNERS: Mapping[str, dict[str, str]] = {
    "user_id": {"type": "string", "description": "Owning user."},
    "agent_id": {"type": "string", "description": "Owning agent."},
}
"""Arguments of every tool, unless the key is bound to a user or an agent."""

# An omitted hint has the protocol's default: not read-only, destructive, not idempotent.
READS = types.ToolAnnotations(readOnlyHint=True, openWorldHint=False)
ADDS = types.ToolAnnotations(destructiveHint=False, openWorldHint=False)
SETS = types.ToolAnnotations(destructiveHint=False, idempotentHint=True, openWorldHint=False)
"""Annotations of idempotent tools that change but delete nothing."""
REMOVES = types.ToolAnnotations(destructiveHint=True, idempotentHint=True, openWorldHint=False)
"""Annotations of tools that delete permanently."""


def _texts(value: object) -> object:
    return value.split(",") if isinstance(value, str) else value


Tags = Annotated[list[str], BeforeValidator(_texts)]
"""A list of texts, or one text with commas between them."""


class Arguments(BaseModel):
    """Base class of a tool's arguments."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    takes_empty: ClassVar[frozenset[str]] = frozenset()
    """Optional arguments for which an empty text differs from an omitted one."""

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, values: Any) -> Any:
        return without_empty(cls, values, but=cls.takes_empty)

    def set_fields(self) -> dict[str, Any]:
        """Return the arguments that the caller set, by field name."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class BriefArguments(Arguments):
    """Arguments of a tool of the default profile."""

    model_config = ConfigDict(json_schema_extra=without_bounds)


class Result(BaseModel):
    """Result of a tool; its fields are the members of the structured content."""

    model_config = ConfigDict(frozen=True)


@dataclass(frozen=True)
class Call:
    """Caller and context of a tool call."""

    services: Services
    principal: Principal

    @property
    def workspace_id(self) -> str:
        """The workspace of the key."""
        return self.principal.workspace_id

    def narrowed(self, arguments: Mapping[str, Any]) -> "Call":
        """Return the call on behalf of the user and the agent in the arguments.

        Raises:
            InvalidInput: An id is not a string, or is blank or too long.
            Forbidden: The key is bound to another user or agent.
        """
        named = {name: None if arguments.get(name) == "" else arguments.get(name) for name in OWNERS}
        for name, value in named.items():
            if value is not None and not isinstance(value, str):
                raise InvalidInput(name, f"{name} must be a string")
        owners = {name: short_text(name, value) for name, value in named.items()}
        return replace(self, principal=self.principal.speaking_for(**owners))


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes:
        result: Class of the structured result; None if the tool returns a text for a model.
        scope: Scope that a caller's key needs.
        names: Names of arguments by the field names in the services' errors, if they differ.
        aliases: Further names that calls may use; lists omit them.
    """

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    result: type[Result] | None
    scope: Scope
    annotations: types.ToolAnnotations
    run: Callable[[Call, Any], Awaitable[Result | str]]
    names: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()

    def shown(self, principal: Principal) -> types.Tool:
        """Return the tool's definition for clients."""
        schema = input_schema(self.arguments)
        if (key := schema["properties"].get(KEY_ID)) is not None:
            own = f"{key['description']} This caller's own is {principal.key_id}."
            schema = {**schema, "properties": {**schema["properties"], KEY_ID: {**key, "description": own}}}
        owners = {
            name: description for name, description in OWNERS.items() if getattr(principal, name) is None
        }
        schema = {**schema, "properties": {**schema["properties"], **owners}}
        return types.Tool(
            name=self.name,
            title=None if self.title.casefold() == self.name else self.title,
            description=self.description,
            inputSchema=schema,
            outputSchema=output_schema(self.result) if self.result else None,
            annotations=self.annotations,
        )

    async def call(self, call: Call, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Return the result of a call; never raise. Report expected errors, and mask unexpected ones."""
        try:
            call = call.narrowed(arguments)
            await call.services.tenancy.access.authorize(call.principal, self.scope)
            result = await self.run(call, self.read(arguments))
        except RecollectError as error:
            return _failed(error, self._argument(error.field))
        except Exception as error:  # noqa: BLE001 - the caller gets only a reference into the log
            return failed_unexpectedly(error, tool=self.name)
        if isinstance(result, str):
            return types.CallToolResult(content=[_text(result)])
        structured = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        text = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
        return types.CallToolResult(content=[_text(text)], structuredContent=structured)

    @property
    def _fields(self) -> dict[str, FieldInfo]:
        """Fields of the arguments by the names that callers use."""
        return {known.alias or name: known for name, known in self.arguments.model_fields.items()}

    def read(self, arguments: Mapping[str, Any]) -> Any:
        """Return validated arguments.

        Null counts as omitted, as does an empty text of an optional argument, because some clients send every
        argument. A list or an object may be a JSON text, because some models write it so.

        Raises:
            InvalidInput: An argument is missing, unknown or malformed; the error names it.
        """
        fields = self._fields
        values = {}
        for name, value in arguments.items():
            if isinstance(value, str) and name in fields:
                storable(name, value)
            if value is not None and name not in OWNERS:
                values[name] = _parsed(fields.get(name), value)
        try:
            return self.arguments.model_validate(values)
        except ValidationError as error:
            raise self._invalid(error) from None

    def _invalid(self, error: ValidationError) -> InvalidInput:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"])) or "arguments"
        if first["type"] == "missing":
            return InvalidInput(path, f"{path} is required")
        if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
            known = ", ".join([*self._fields, *OWNERS])
            return InvalidInput(path, f"there is no argument {path[:100]!r}; the arguments are: {known}")
        return InvalidInput(path, f"{path}: {first['msg'].removeprefix('Value error, ')}")

    def _argument(self, named: str | None) -> str | None:
        """Return the caller's name of the field in an error."""
        if named is None or named in self.names:
            return self.names[named] if named else None
        snake = to_snake(named)
        known = self.arguments.model_fields.get(snake)
        return named if known is None else known.alias or snake


def _parsed(known: FieldInfo | None, value: object) -> object:
    is_text = known is None or known.annotation in (str, str | None)
    if is_text or not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return read_json(value)
    except InvalidInput:
        return value


def find(tools: Sequence[Tool], name: str) -> Tool:
    """Return a tool by its name or an alias.

    Raises:
        InvalidInput: There is no such tool.
    """
    for tool in tools:
        if name == tool.name or name in tool.aliases:
            return tool
    raise InvalidInput("name", f"there is no tool {name[:100]!r}")


def failed(error: RecollectError) -> types.CallToolResult:
    """Return an expected error as a call's result."""
    return _failed(error, error.field)


def failed_unexpectedly(error: Exception, *, tool: str) -> types.CallToolResult:
    """Return an unexpected error as a call's result: a reference into the log, never the error's own text."""
    message = masked(_log, "mcp.unexpected_error", error, what=tool)
    return _error_result({"code": "INTERNAL", "field": None, "message": message})


def _failed(error: RecollectError, named: str | None) -> types.CallToolResult:
    fields: dict[str, Any] = {"code": error.code, "field": named, "message": error.message}
    if isinstance(error, Unavailable | LimitExceeded):
        fields["retry_after_seconds"] = error.retry_after_seconds
    if isinstance(error, Forbidden):
        fields["message"] = f"{error.message}; ask an administrator for a key that has it"
    return _error_result(fields)


def _error_result(error: Mapping[str, Any]) -> types.CallToolResult:
    named = error["field"]
    message = (
        error["message"] if named is None or named in error["message"] else f"{named}: {error['message']}"
    )
    return types.CallToolResult(
        content=[_text(f"error: {message}")], structuredContent={ERROR: dict(error)}, isError=True
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
