"""Requests and responses of Oxagen's routes."""

from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from graph.core.exact import Flag

_ON: JsonDict = {"memory": {"enabled": True}}


class MemorySwitch(BaseModel):
    """State of a workspace's memory switch."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: Flag


class WorkspaceSwitches(BaseModel):
    """The settings of a workspace, as far as Oxagen knows them."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"examples": [_ON]})

    memory: MemorySwitch


class MemoryToggled(BaseModel):
    """Response of the internal switch."""

    model_config = ConfigDict(frozen=True)

    workspace_id: str
    memory_enabled: bool
