"""Base class of the groups of settings."""

from pydantic import BaseModel, ConfigDict


class SettingGroup(BaseModel):
    """Settings of one concern; they do not change, and one that nobody knows is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
