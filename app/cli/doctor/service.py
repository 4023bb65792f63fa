"""The check of the service itself, by its own account of how it is."""

import httpx

from app.cli.doctor.findings import CheckState, Finding

_SECONDS = 10.0
_CHECK = "Service"


async def check_service(url: str, *, is_needed: bool) -> Finding:
    """Ask the service that commands speak to whether it is ready.

    Args:
        url: Its address.
        is_needed: Whether somebody said that it is there.
    """
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as http:
            answer = await http.get(f"{url.rstrip('/')}/ready")
            body = answer.json()
            failed, missing = body["failed"], ", ".join(body["missing"])
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        remedy = "`recollect up` starts one, or correct RECOLLECT_API_URL or `recollect login`"
        found = f"{url} does not answer ({type(error).__name__})"
        return Finding(_CHECK, CheckState.MISSING, found, remedy, needed=is_needed)
    except (ValueError, KeyError, TypeError):
        remedy = "correct RECOLLECT_API_URL or `recollect login`"
        return Finding(
            _CHECK, CheckState.WRONG, f"{url} is no service of Recollect", remedy, needed=is_needed
        )
    lacks = f"; without {missing}" if missing else ""
    if failed is None:
        return Finding(_CHECK, CheckState.FOUND, f"ready at {url}{lacks}")
    remedy = "run `recollect doctor` on the machine where it runs"
    return Finding(
        _CHECK, CheckState.WRONG, f"{url} is not ready: {failed} fails{lacks}", remedy, needed=is_needed
    )
