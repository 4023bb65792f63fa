"""The settings of sessions and of what one caller may ask for."""

from pydantic import Field

from app.settings.group import SettingGroup


class SessionSettings(SettingGroup):
    """Sessions of people who signed in with a key in a browser."""

    idle_minutes: int = Field(720, ge=1, le=43_200)
    """After how many minutes without a request a session ends."""
    max_hours: int = Field(168, ge=1, le=8760)
    """After how many hours a session ends in any case."""


class LimitSettings(SettingGroup):
    """What one caller may ask for."""

    requests_per_minute: int = Field(60_000, ge=0, le=1_000_000)
    """How many requests a key may make within a minute, over all processes; 0: as many as it likes. A key may have a
    limit of its own. While Redis does not answer nobody is limited."""
