"""``GET /openapi.json``: the OpenAPI document of all REST routes.

Litestar derives the document from the handlers. This module adds the missing parts: pydantic's own schemas of the
models, and the credential and the error responses of each route.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from litestar import Litestar, Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Schema, Tag
from litestar.params import ParameterKwarg
from litestar.plugins.pydantic import PydanticSchemaPlugin
from litestar.router import Router
from litestar.routes import HTTPRoute
from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_401_UNAUTHORIZED
from litestar.typing import FieldDefinition
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.surfaces.http.credentials import CREDENTIAL, OWNER_HEADERS, Credential
from app.surfaces.http.errors import AUTOMEM_PATHS, OPENAI_PATHS
from app.surfaces.http.refusals import BODY, REASONS, AutoMemRefusal, OpenAIRefusal, Refusal, reasons_of
from graph.core.text.normal_forms import SHOWN
from graph.operations.archive.format import MEDIA_TYPE

PATH: Final = "/openapi.json"

Json = dict[str, Any]

_CHANGING = frozenset({"post", "put", "patch"})
_MODELS = "#/components/schemas/"
_PARAMETERS = "#/components/parameters/"
_DESCRIPTION = """\
Memory for AI agents. All surfaces share one pool of memories: every surface finds memories that another one saved. \
GraphQL at `/graphql` can do everything that these routes do, and more. No text may contain a NUL character.\
"""
_TAGS: Mapping[str, str] = {
    "automem": "AutoMem's routes: its clients work after a change of URL and token.",
    "omniroute": "OmniRoute's routes: memories, previews and the engine; settings, for administrators.",
    "oxagen": "Oxagen's routes: a workspace's memory switch, and deletion of conversations and episodes.",
    "chats": "Xerotier's routes for its dashboard: memories of a chat and of a workspace, for signed-in people.",
    "memories": "The memories of a workspace for programs, with an API key.",
    "workspaces": "A workspace's own language model, for administrators.",
    "archives": "Export and restore of a workspace, for administrators.",
    "conversations": "Capture, injection of memory into a message, extraction, and handoff to another chat.",
    "chat proxy": "OpenAI's protocol with memory; requests and responses are OpenAI's.",
    "embeddings": "OpenAI's protocol for the embedder in use.",
    "operations": "Health and readiness of the service.",
}
_SCHEMES: Mapping[str, Json] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key in `Authorization: Bearer <key>`.",
    },
    "header": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "The API key in a separate header.",
    },
    "query": {
        "type": "apiKey",
        "in": "query",
        "name": "api_key",
        "description": "The API key in the URL, for clients that cannot set headers; URLs appear in logs.",
    },
    "management": {
        "type": "http",
        "scheme": "bearer",
        "description": "An administrator's API key in either header, or an administrator's session.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "session",
        "description": "The session of a person who signed in in a browser.",
    },
}
_OWNERS: Mapping[str, Json] = {
    name: {
        "name": name,
        "in": "query",
        "required": False,
        "description": f"{kind} of the request: it reads and writes this {kind.lower()}'s memories, and reads shared "
        f"ones; also as the header `{header}`.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 512, "pattern": SHOWN},
    }
    for (name, header), kind in zip(OWNER_HEADERS.items(), ("User", "Agent"), strict=True)
}
_BODIES: Final[Mapping[str, Json]] = {
    "application/json": {"type": "object"},
    MEDIA_TYPE: {"type": "string", "format": "binary"},
}
"""Schemas of bodies that a route reads without Litestar, by media type."""
_PAGE: Final[Json] = {"text/html": {"schema": {"type": "string"}}}
"""Content of 401 on routes that require a session: the sign-in page."""
_SCHEMES_OF: Mapping[str, tuple[str, ...]] = {
    "key": ("bearer", "header"),
    "key_or_query": ("bearer", "header", "query"),
    "remembered_key": ("bearer", "header"),
    "remembered_key_or_session": ("bearer", "header", "session"),
    "key_or_session": ("bearer", "header", "session"),
    "management": ("management", "session"),
    "session": ("session",),
    "none": (),
}


class ModelSchemas(PydanticSchemaPlugin):
    """Collects the models in the document, so that pydantic can generate their schemas."""

    __slots__ = ("models",)

    def __init__(self, *, prefer_alias: bool = False) -> None:
        super().__init__(prefer_alias=prefer_alias)
        self.models: dict[str, type[BaseModel]] = {}

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return Litestar's schema of a type."""
        annotation = field_definition.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            self.models[annotation.__name__] = annotation
        return super().to_openapi_schema(field_definition, schema_creator)


class _NoPages(Router):
    """A router that discards Litestar's documentation pages, because they load scripts from other servers."""

    def register(self, value: Any) -> list[Any]:
        """Discard a route."""
        del value
        return []


def openapi_config() -> OpenAPIConfig:
    """Return Litestar's configuration of the document."""
    return OpenAPIConfig(
        title="Recollect",
        version="1",
        description=_DESCRIPTION,
        tags=[Tag(name=name, description=description) for name, description in _TAGS.items()],
        use_handler_docstrings=True,
        openapi_router=_NoPages(path="/", route_handlers=[]),
    )


@get(PATH, opt={CREDENTIAL: Credential.NONE}, include_in_schema=False, sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> Response[Json]:
    """Return the document; it contains no stored data and needs no key."""
    app = request.app
    if "openapi" not in app.state:
        app.state.openapi = document(app)
    return Response(app.state.openapi, media_type="application/vnd.oai.openapi+json")


def document(app: Litestar) -> Json:
    """Return the OpenAPI document of an application that has the plugin :class:`ModelSchemas`."""
    written: Json = app.openapi_schema.to_schema()
    components: Json = written.setdefault("components", {})
    drawn: Json = components.get("schemas", {})
    handlers = dict(_handlers(app))
    _describe_models(drawn, app.plugins.get(ModelSchemas).models, _in_requests(written, drawn))
    used = set()
    for (path, method), handler in handlers.items():
        operation = written["paths"][path][method]
        used |= _ask_for_credential(operation, handler)
        if _credential(handler) is not Credential.NONE:
            parameters = operation.setdefault("parameters", [])
            known = {parameter["name"] for parameter in parameters}
            parameters.extend({"$ref": _PARAMETERS + name} for name in _OWNERS if name not in known)
        _mark_optional_body(operation)
        if media_type := handler.opt.get(BODY):
            operation["requestBody"] = {
                "required": True,
                "content": {media_type: {"schema": _BODIES[media_type]}},
            }
        _refuse(operation, path, method, handler)
        for parameter in operation.get("parameters", []):
            if "$ref" not in parameter:
                declare_bounds_of_parameter(parameter, handler)
    declare_bounds(drawn)
    link(written["paths"])
    components["schemas"] = dict(sorted(drawn.items()))
    components["parameters"] = dict(_OWNERS)
    components["securitySchemes"] = {name: _SCHEMES[name] for name in _SCHEMES if name in used}
    return written


def _handlers(app: Litestar) -> Iterator[tuple[tuple[str, str], HTTPRouteHandler]]:
    """Yield the documented handlers by path and method, in the document's notation."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for method, (handler, _) in route.route_handler_map.items():
            if handler.resolve_include_in_schema():
                yield (route.path_format, method.lower()), handler


def _describe_models(drawn: Json, models: Mapping[str, type[BaseModel]], requested: set[str]) -> None:
    """Replace Litestar's schemas with pydantic's, which have examples and constraints."""
    known = {name: model for name, model in models.items() if name in drawn}
    known |= {model.__name__: model for model in (Refusal, AutoMemRefusal, OpenAIRefusal)}
    for name, model in known.items():
        mode = "validation" if name in requested else "serialization"
        _, schema = models_json_schema([(model, mode)], ref_template=_MODELS + "{model}")  # type: ignore[list-item]
        for part, definition in schema["$defs"].items():
            if part == name or part not in known:
                drawn[part] = definition


def _mark_optional_body(operation: Json) -> None:
    """Mark an optional body as not required, where Litestar declares it as nullable."""
    body = operation.get("requestBody", {})
    for content in body.get("content", {}).values():
        kinds = content["schema"].get("oneOf", [])
        if {"type": "null"} in kinds:
            (content["schema"],) = (kind for kind in kinds if kind != {"type": "null"})
            body["required"] = False


def _in_requests(written: Json, drawn: Json) -> set[str]:
    """Return the names of the models in request bodies, including nested ones."""
    bodies = [
        operation["requestBody"]
        for path in written["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict) and "requestBody" in operation
    ]
    found: set[str] = set()
    waiting = set(_named_in(bodies))
    while waiting:
        found |= waiting
        waiting = {inner for name in waiting for inner in _named_in(drawn.get(name))} - found
    return found


def _named_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(reference := value.get("$ref"), str):
            yield reference.removeprefix(_MODELS)
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _named_in(part)


def _ask_for_credential(operation: Json, handler: HTTPRouteHandler) -> set[str]:
    """Add the alternative credentials of a route to its operation; return their schemes."""
    schemes = _SCHEMES_OF[_credential(handler)]
    operation["security"] = [{scheme: []} for scheme in schemes]
    return set(schemes)


def _refuse(operation: Json, path: str, method: str, handler: HTTPRouteHandler) -> None:
    """Add error responses that a route does not declare itself; replace Litestar's own form of 400."""
    credential = _credential(handler)
    model = _refusal_of(path)
    statuses = reasons_of(
        has_key=credential is not Credential.NONE,
        has_parameters="parameters" in operation,
        has_body="requestBody" in operation,
        changes=method in _CHANGING,
        names_something="{" in path,
    )
    responses = operation["responses"]
    if HTTP_400_BAD_REQUEST not in (handler.responses or {}):
        responses.pop(str(HTTP_400_BAD_REQUEST), None)
    for status in statuses:
        responses.setdefault(
            str(status),
            {
                "description": REASONS[status],
                "content": _PAGE
                if credential is Credential.SESSION and status == HTTP_401_UNAUTHORIZED
                else {"application/json": {"schema": {"$ref": _MODELS + model.__name__}}},
            },
        )
    operation["responses"] = dict(sorted(responses.items()))


def _refusal_of(path: str) -> type[BaseModel]:
    if path.startswith(OPENAI_PATHS):
        return OpenAIRefusal
    return AutoMemRefusal if path.startswith(AUTOMEM_PATHS) else Refusal


def _credential(handler: HTTPRouteHandler) -> Credential:
    return Credential(handler.opt.get(CREDENTIAL, Credential.KEY))


_NULL: Final[Json] = {"type": "null"}
_BOUNDS: Final[Mapping[str, str]] = {
    "ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum",
}  # fmt: skip


def declare_bounds(value: Any) -> None:
    """Rename the bounds of numbers to JSON Schema's names; remove null defaults of schemas that exclude null."""
    if isinstance(value, dict):
        for own, name in _BOUNDS.items():
            if isinstance(value.get(own), int | float):
                value[name] = value.pop(own)
        if "default" in value and value["default"] is None and not _may_be_null(value):
            del value["default"]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            declare_bounds(part)


def declare_bounds_of_parameter(parameter: Json, handler: HTTPRouteHandler) -> None:
    """Exclude null from a parameter, add a lower bound of 0, and exclude blank texts in a path."""
    _never_null(parameter)
    _from_zero(parameter, handler)
    schema = parameter["schema"]
    if parameter["in"] == "path" and schema.get("type") == "string":
        parameter["schema"] = {"minLength": 1, "pattern": SHOWN, **schema}


def _may_be_null(schema: Json) -> bool:
    kinds: list[Json] = schema.get("anyOf", [])
    return _NULL in kinds or not (kinds or {"type", "$ref", "enum"} & schema.keys())


def _never_null(parameter: Json) -> None:
    """Remove null from an optional parameter's type, because a URL or header cannot express it."""
    schema = parameter.get("schema", {})
    kinds = [kind for kind in schema.get("oneOf", []) if kind != _NULL]
    if len(kinds) == 1:
        del schema["oneOf"]
        parameter["schema"] = {**kinds[0], **schema}


def _from_zero(parameter: Json, handler: HTTPRouteHandler) -> None:
    """Add a lower bound of 0, which Litestar omits because 0 is false."""
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        if isinstance(kwarg, ParameterKwarg) and kwarg.ge == 0 and parameter["name"] == (kwarg.name or name):
            parameter["schema"]["minimum"] = 0


_MADE: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("/memory", "memory_id"): ("/memory/{memory_id}", "memory_id"),
    ("/api/memory", "id"): ("/api/memory/{memory_id}", "memory_id"),
    ("/v1/workspaces/{workspace_id}/memories", "id"): (
        "/v1/workspaces/{workspace_id}/memories/{memory_id}",
        "memory_id",
    ),
    ("/chat/api/workspaces/{workspace_id}/memories", "id"): (
        "/chat/api/workspaces/{workspace_id}/memories/{memory_id}",
        "memory_id",
    ),
    ("/chat/api/{chat_id}/memory", "id"): ("/chat/api/{chat_id}/memories/{memory_id}", "memory_id"),
    ("/v1/conversations/{conversation_id}/messages", "conversation_id"): (
        "/v1/conversations/{conversation_id}",
        "conversation_id",
    ),
}
"""Path and parameter of an object, by the path that creates such objects and the response field with its id."""


def link(paths: Json) -> None:
    """Add links to the operations on a new object to each response with its id."""
    for (made_at, field), (path, parameter) in _MADE.items():
        links = {
            operation["operationId"]: {
                "operationId": operation["operationId"],
                "parameters": _parameters(path, parameter, field),
                "description": operation["summary"],
            }
            for operation in paths[path].values()
        }
        for status, answer in paths[made_at]["post"]["responses"].items():
            if status in ("200", "201"):
                answer["links"] = links


def _parameters(path: str, parameter: str, field: str) -> dict[str, str]:
    """Return the sources of a path's parameters: the response for the object's id, the request's path for others."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return {
        name: f"$response.body#/{field}" if name == parameter else f"$request.path.{name}" for name in names
    }
