"""Having the packages of the pages on this machine before somebody opens one."""

from app.adapters.maven import OnBytes
from app.adapters.webjars import WEBJARS, fetch_webjars


async def fetch_page_packages(on_bytes: OnBytes) -> None:
    """Fetch the missing packages.

    Raises:
        Unavailable: A package cannot be fetched.
    """
    await fetch_webjars(WEBJARS, on_bytes)
