"""What Oxagen's routes take and answer."""

from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from graph.core.exact import Flag

_ON: JsonDict = {"memory": {"enabled": True}}


class MemorySwitch(BaseModel):
    """Whether a workspace's memory is on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: Flag


class WorkspaceSwitches(BaseModel):
    """The settings of a workspace, as far as Oxagen knows them."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"examples": [_ON]})

    memory: MemorySwitch


class MemoryToggled(BaseModel):
    """What the internal switch answers."""

    model_config = ConfigDict(frozen=True)

    workspace_id: str
    memory_enabled: bool
