"""The check of the service itself, by its own account of how it is."""

from typing import Any

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt, wait_fixed

from app.cli.doctor.findings import CheckState, Finding, without_credentials
from app.client.loopback import is_here
from app.embedded.ports import LOOPBACK

_SECONDS = 10.0
_TRIES = 3  # one that is busy may miss a beat
_AGAIN_SECONDS = 3.0
_CHECK = "Service"
_ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - nothing is bound to it


async def serves(host: str, port: int) -> bool:
    """Tell whether a service of Recollect, ready or not, listens at a port of this machine."""
    here = LOOPBACK if host in _ANY_HOST else host
    try:
        async with httpx.AsyncClient(timeout=_SECONDS, trust_env=False) as http:
            answer = await http.get(httpx.URL(scheme="http", host=here, port=port, path="/ready"))
            body = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return False
    return isinstance(body, dict) and {"failed", "missing"} <= body.keys()


def _last_told(tries: RetryCallState) -> Any:
    return tries.outcome.result() if tries.outcome else None


async def _readiness(http: httpx.AsyncClient, address: str) -> dict[str, Any]:
    told: dict[str, Any] = (await http.get(address)).json()
    return told


async def check_service(url: str, *, is_needed: bool) -> Finding:
    """Ask the service that commands speak to whether it is ready.

    Args:
        url: Its address.
        is_needed: Whether a setting names this service.
    """
    shown = without_credentials(url)
    try:
        async with httpx.AsyncClient(timeout=_SECONDS, trust_env=not is_here(url)) as http:
            asked = AsyncRetrying(
                retry=retry_if_result(lambda told: told["failed"] is not None),
                wait=wait_fixed(_AGAIN_SECONDS),
                stop=stop_after_attempt(_TRIES),
                retry_error_callback=_last_told,
            )
            body: dict[str, Any] = await asked(_readiness, http, f"{url.rstrip('/')}/ready")
            failed, missing = body["failed"], ", ".join(body["missing"])
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        remedy = "`recollect up` starts one, or correct RECOLLECT_API_URL or `recollect login`"
        found = f"{shown} does not answer ({type(error).__name__})"
        return Finding(_CHECK, CheckState.MISSING, found, remedy, needed=is_needed)
    except (ValueError, KeyError, TypeError):
        remedy = "correct RECOLLECT_API_URL or `recollect login`"
        return Finding(
            _CHECK, CheckState.WRONG, f"{shown} is no service of Recollect", remedy, needed=is_needed
        )
    lacks = f"; without {missing}" if missing else ""
    if failed is None:
        return Finding(_CHECK, CheckState.FOUND, f"ready at {shown}{lacks}")
    remedy = "run `recollect doctor` on the machine where it runs"
    return Finding(
        _CHECK, CheckState.WRONG, f"{shown} is not ready: {failed} fails{lacks}", remedy, needed=is_needed
    )
