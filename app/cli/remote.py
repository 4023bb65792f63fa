"""How commands speak to the running service, and how they fail: one clear line and a non-zero exit."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape

from app.client.transport import TIMEOUT_SECONDS, ApiError, Client
from app.settings import Settings
from app.settings.names import UnknownSetting

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
    work: Callable[[Client], Coroutine[Any, Any, Result]], *, timeout_seconds: float = TIMEOUT_SECONDS
) -> Result:
    """Run ``work`` with a client of the service that the settings name; errors end the command."""
    settings = read_settings()
    key = settings.api_key.get_secret_value() if settings.api_key else None
    try:
        return asyncio.run(_with_client(settings.api_url, key, work, timeout_seconds))
    except ApiError as error:
        fail(_advice(error, has_key=key is not None))


async def _with_client(
    url: str,
    key: str | None,
    work: Callable[[Client], Coroutine[Any, Any, Result]],
    timeout_seconds: float,
) -> Result:
    async with Client(url, key, timeout_seconds=timeout_seconds) as client:
        return await work(client)


def _advice(error: ApiError, *, has_key: bool) -> str:
    if error.code == "UNAUTHENTICATED" and not has_key:
        return f"{error}; set RECOLLECT_API_KEY to a key of the service"
    return str(error)
