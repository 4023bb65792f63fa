"""The mapping of every domain error on every surface, and the masking of unexpected ones."""

from collections.abc import Iterator

import pytest
import strawberry
from litestar import Litestar, get
from litestar.exceptions import HTTPException
from litestar.testing import TestClient
from strawberry.litestar import BaseContext

from app.main import create_app
from app.surfaces.graphql.errors import ErrorCodes
from app.surfaces.http.errors import STATUS
from graph.core import errors
from graph.core.errors import InvalidInput, LimitExceeded, RecollectError, Unavailable

SECRET = "bolt://neo4j:hunter2@10.0.0.7"
MADE = {
    InvalidInput: InvalidInput("size", "size must be positive"),
    Unavailable: Unavailable("neo4j", "try again", retry_after_seconds=7),
    LimitExceeded: LimitExceeded("too fast", retry_after_seconds=9),
}
# Clients depend on these, so they never change (contract.graphql).
CODES = {
    "InvalidInput": ("INVALID_INPUT", 400),
    "Unauthenticated": ("UNAUTHENTICATED", 401),
    "Forbidden": ("FORBIDDEN", 403),
    "NotFound": ("NOT_FOUND", 404),
    "Conflict": ("CONFLICT", 409),
    "LimitExceeded": ("RATE_LIMITED", 429),
    "Unavailable": ("UNAVAILABLE", 503),
}
# Type and code in OpenAI's errors.
OPENAI = {
    "InvalidInput": ("invalid_request_error", "invalid_input"),
    "Unauthenticated": ("authentication_error", "invalid_api_key"),
    "Forbidden": ("permission_error", "forbidden"),
    "NotFound": ("not_found_error", "not_found"),
    "Conflict": ("invalid_request_error", "conflict"),
    "LimitExceeded": ("rate_limit_error", "rate_limit_exceeded"),
    "Unavailable": ("server_error", "unavailable"),
}
RETRY_AFTER = {"Unavailable": "7", "LimitExceeded": "9"}


def subclasses(of: type) -> Iterator[type]:
    for found in of.__subclasses__():
        yield found
        yield from subclasses(found)


ERRORS = sorted(subclasses(RecollectError), key=lambda error: error.__name__)


def raised(error: type[RecollectError]) -> RecollectError:
    return MADE.get(error) or error("it cannot be")


def test_the_error_codes_are_stable() -> None:
    assert {error.__name__ for error in ERRORS} == CODES.keys()
    assert {error.__name__: error.code for error in ERRORS} == {
        name: code for name, (code, _) in CODES.items()
    }
    assert all(error.__name__ in (errors.__doc__ or "") for error in ERRORS)


def test_the_table_of_statuses_is_complete() -> None:
    assert {error.__name__: status for error, status in STATUS.items()} == {
        name: status for name, (_, status) in CODES.items()
    }


class Response:
    """The part of a response that GraphQL may set."""

    def __init__(self) -> None:
        self.status_code: int | None = None
        self.headers: dict[str, str] = {}


class Context(BaseContext, kw_only=True):
    """The part of the real context that the errors use."""


@strawberry.type
class Query:
    """A schema whose fields all fail."""

    @strawberry.field
    def expected(self, name: str) -> str:
        raise raised(getattr(errors, name))

    @strawberry.field
    def wrapped(self) -> str:
        try:
            raise errors.NotFound("there is nothing", field="id")
        except RecollectError as error:
            raise ValueError(SECRET) from error

    @strawberry.field
    def unexpected(self) -> str:
        raise RuntimeError(SECRET)

    @strawberry.field
    def circular(self) -> str:
        first, second = RuntimeError(SECRET), RuntimeError(SECRET)
        first.__cause__, second.__cause__ = second, first
        raise first

    @strawberry.field
    def impossible(self) -> int:
        return SECRET  # type: ignore[return-value]


SCHEMA = strawberry.Schema(query=Query, extensions=[ErrorCodes])


async def run(query: str) -> tuple[dict, Response]:
    context = Context()
    context.response = Response()  # type: ignore[assignment]
    result = await SCHEMA.execute(query, context_value=context)
    (error,) = result.errors or ()
    return error.formatted, context.response  # type: ignore[return-value]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
async def test_graphql_shows_an_expected_error(error) -> None:
    shown, response = await run(f'{{ expected(name: "{error.__name__}") }}')

    made = raised(error)
    code, status = CODES[error.__name__]
    assert (shown["message"], shown["extensions"]) == (made.message, {"code": code, "field": made.field})
    retries = RETRY_AFTER.get(error.__name__)
    assert (response.status_code, response.headers.get("Retry-After")) == (
        status if retries else None,
        retries,
    )


async def test_graphql_shows_an_expected_error_wrapped_in_another() -> None:
    shown, _ = await run("{ wrapped }")

    assert shown["extensions"] == {"code": "NOT_FOUND", "field": "id"}
    assert SECRET not in repr(shown)


@pytest.mark.parametrize("field", ["unexpected", "circular"])
async def test_graphql_masks_an_unexpected_error(field) -> None:
    """Also one with a cycle of causes, as errors of the Neo4j driver may have."""
    shown, _ = await run(f"{{ {field} }}")

    assert shown["extensions"] == {"code": "INTERNAL", "field": None}
    assert shown["message"].startswith("an unexpected error occurred; the log has it under ")
    assert SECRET not in repr(shown)


async def test_graphql_masks_a_value_that_does_not_fit_the_schema() -> None:
    """graphql-core reports it with its own error, which quotes the value."""
    shown, _ = await run("{ impossible }")

    assert SECRET not in repr(shown)
    assert shown["extensions"] == {"code": "INTERNAL", "field": None}


def rest_app() -> Litestar:
    """Return an application with the real handlers and one route that fails as requested."""

    @get(["/fail/{name:str}", "/v1/chat/{name:str}"])
    async def fail(name: str) -> None:
        if name == "unexpected":
            raise RuntimeError(SECRET)
        if name == "litestar":
            raise HTTPException(status_code=500, detail=SECRET)
        raise raised(getattr(errors, name))

    real = create_app(None)  # type: ignore[arg-type]  # no request of this test reaches a service
    return Litestar(route_handlers=[fail], exception_handlers=real.exception_handlers, openapi_config=None)


@pytest.fixture(scope="module")
def rest() -> Iterator[TestClient]:
    with TestClient(rest_app(), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_rest_shows_an_expected_error(rest, error) -> None:
    response = rest.get(f"/fail/{error.__name__}")

    made = raised(error)
    assert response.status_code == CODES[error.__name__][1]
    assert response.json() == {"error": made.message, "field": made.field}
    assert response.headers.get("retry-after") == RETRY_AFTER.get(error.__name__)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_the_chat_proxy_shows_an_expected_error_as_openai_does(rest, error) -> None:
    """K12: with the four fields that OpenAI's clients read."""
    response = rest.get(f"/v1/chat/{error.__name__}")

    made = raised(error)
    shown = response.json()["error"]
    assert response.json().keys() == {"error"}
    assert shown.keys() == {"message", "type", "param", "code"}
    assert (shown["message"], shown["param"]) == (made.message, made.field)
    assert (shown["type"], shown["code"]) == OPENAI[error.__name__]
    assert response.status_code == CODES[error.__name__][1]
    assert response.headers.get("retry-after") == RETRY_AFTER.get(error.__name__)


@pytest.mark.parametrize("name", ["unexpected", "litestar"])
def test_the_chat_proxy_masks_an_unexpected_error(rest, name) -> None:
    response = rest.get(f"/v1/chat/{name}")

    shown = response.json()["error"]
    assert (response.status_code, shown["type"], shown["code"]) == (500, "server_error", "internal")
    assert SECRET not in response.text


@pytest.mark.parametrize("name", ["unexpected", "litestar"])
def test_rest_masks_an_unexpected_error(rest, name) -> None:
    response = rest.get(f"/fail/{name}")

    assert response.status_code == 500
    assert response.json()["field"] is None
    assert response.json()["error"].startswith("an unexpected error occurred; the log has it under ")
    assert SECRET not in response.text
