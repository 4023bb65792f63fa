"""How commands speak to the running service, and how they fail: one clear line and a non-zero exit."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer
from pydantic import BaseModel, ValidationError
from rich.console import Console
from rich.markup import escape

from app.client.transport import TIMEOUT_SECONDS, ApiError
from app.settings import Settings
from app.settings.names import UnknownSetting

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

_PAGE_SIZE = 100

Result = TypeVar("Result")


def fail(message: str) -> NoReturn:
    """Print one line to standard error and leave with exit code 1."""
    line = " ".join(message.split())
    Console(stderr=True, soft_wrap=True).print(f"[bold red]error:[/] {escape(line)}", highlight=False)
    raise typer.Exit(1)


def read_settings() -> Settings:
    """Return the settings; a malformed one ends the command with its variable's name."""
    try:
        return Settings()
    except UnknownSetting as error:
        fail(str(error))
    except ValidationError as error:
        first = error.errors()[0]
        variable = "_".join(("RECOLLECT", *(str(part).upper() for part in first["loc"])))
        fail(f"{variable}: {first['msg']}")


def run(
    work: "Callable[[RecollectClient], Coroutine[Any, Any, Result]]",
    *,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Result:
    """Run ``work`` with a client of the service that the settings name; errors end the command."""
    settings = read_settings()
    key = settings.api_key.get_secret_value() if settings.api_key else None
    try:
        return asyncio.run(_with_client(settings.api_url, key, work, timeout_seconds))
    except ApiError as error:
        fail(_advice(error, has_key=key is not None))
    except ValidationError as error:
        fail(f"the answer is not one that this version knows ({error.title}); install the service's version")


def payload(**fields: Any) -> Any:
    """Return an input of what is not None, as the API names it.

    Any: it stands for every type of input, and the service is to judge the values.
    """
    return {name: value for name, value in fields.items() if value is not None}


def as_json(answer: BaseModel, shown: Any = None) -> str:
    """Return an answer as the API writes it; ``shown``, as pydantic's ``include``, leaves out the rest."""
    fields = answer.model_dump(by_alias=True, include=shown)
    return json.dumps(fields, ensure_ascii=False, default=datetime.isoformat)


async def nodes(page_after: Callable[..., Awaitable[Any]]) -> AsyncIterator[Any]:
    """Yield every node of a connection; ``page_after`` takes ``first`` and ``after``, and returns a page."""
    after, is_last = None, False
    while not is_last:
        page = await page_after(first=_PAGE_SIZE, after=after)
        for edge in page.edges:
            yield edge.node
        after, is_last = page.page_info.end_cursor, not page.page_info.has_next_page


async def _with_client(
    url: str,
    key: str | None,
    work: "Callable[[RecollectClient], Coroutine[Any, Any, Result]]",
    timeout_seconds: float,
) -> Result:
    from app.client.generated import RecollectClient

    async with RecollectClient(url, key, timeout_seconds=timeout_seconds) as client:
        return await work(client)


def _advice(error: ApiError, *, has_key: bool) -> str:
    if error.code == "UNAUTHENTICATED" and not has_key:
        return f"{error}; set RECOLLECT_API_KEY to a key of the service"
    return str(error)
