"""Settings of sessions, and limits of one caller."""

from pydantic import Field

from app.settings.values import SettingGroup


class SessionSettings(SettingGroup):
    """Sessions of people who sign in with a key in a browser."""

    idle_minutes: int = Field(720, ge=1, le=43_200)
    """Minutes without a request after which a session ends."""
    max_hours: int = Field(168, ge=1, le=8760)
    """Hours after which a session ends, active or not."""


class LimitSettings(SettingGroup):
    """Limits of one caller."""

    requests_per_minute: int = Field(60_000, ge=0, le=1_000_000)
    """Maximum number of requests of a key in a minute, over all processes; 0: unlimited. A key may have its own limit.
    The service applies no limit while Redis does not answer."""
