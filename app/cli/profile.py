"""The profile file of ``recollect login``, readable by its owner only."""

import json
import os
from pathlib import Path
from typing import NamedTuple

import typer

from app.settings import Settings

_FILE = "profile.json"
_OWNERS_ONLY = 0o600
_FOLDER_MODE = 0o700


class Profile(NamedTuple):
    """Address of a service, and a key for it."""

    url: str
    key: str


def profile_file() -> Path:
    """Return the path of the profile, in the system's folder for settings of applications."""
    return Path(typer.get_app_dir("recollect")) / _FILE


def read_profile() -> Profile | None:
    """Return the profile, or None before a login.

    Raises:
        ValueError: The file is not a profile.
    """
    try:
        text = profile_file().read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    noted = json.loads(text)
    url, key = (noted.get("url"), noted.get("key")) if isinstance(noted, dict) else (None, None)
    if not isinstance(url, str) or not isinstance(key, str):
        raise ValueError("url and key must be strings")  # noqa: TRY004 - describes the file
    return Profile(url, key)


def write_profile(profile: Profile) -> Path:
    """Write a profile over the previous one and return its file."""
    file = profile_file()
    file.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    new = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNERS_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        json.dump({"url": profile.url, "key": profile.key}, opened)
    new.replace(file)
    return file


def remove_profile() -> bool:
    """Delete the profile; return whether it existed."""
    try:
        profile_file().unlink()
    except FileNotFoundError:
        return False
    return True


def address_of(settings: Settings) -> str:
    """Return the address in the settings, or else the one of ``recollect up`` on this machine."""
    if "api_url" in settings.model_fields_set or settings.port == 0:
        return settings.api_url
    host = "[::1]" if settings.host == "::1" else "127.0.0.1"
    return f"http://{host}:{running_port(settings) or settings.port}"


def running_port(settings: Settings) -> int | None:
    """Return the port of the running service of the data folder; None if none runs or the settings name a port."""
    if "port" in settings.model_fields_set:
        return None
    # Imported here, because most calls do not need it.
    from app.embedded.data_folder import data_folder, find_holder

    holder = find_holder(data_folder(settings.data_dir))
    return holder.port if holder else None


def is_named(settings: Settings, url: str) -> bool:
    """Tell whether the settings name the address of the service."""
    return "api_url" in settings.model_fields_set or url != address_of(settings)


def service_of(settings: Settings) -> tuple[str, str | None]:
    """Return the address of the service and the key, from the settings or else from the profile.

    The profile's key is only sent to the profile's service.

    Raises:
        ValueError: The profile cannot be read.
    """
    own_key = settings.api_key.get_secret_value() if settings.api_key else None
    has_own_url = "api_url" in settings.model_fields_set
    if has_own_url and own_key is not None:
        return settings.api_url, own_key
    profile = read_profile()
    if profile is None or (has_own_url and settings.api_url.rstrip("/") != profile.url):
        return address_of(settings), own_key
    return profile.url, own_key or profile.key
