"""What a workspace may set for itself, under the names its settings are written with."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.core.errors import InvalidInput


class WorkspaceSettings(BaseModel):
    """The settings the engine knows; None takes the deployment's. Others are kept for whoever wrote them.

    Attributes:
        strategy: How recall looks where a query does not say (C24); ``recent`` is another word for ``exact`` (C3).
        similarity_threshold: Least cosine of what is injected into a turn unasked (C12); None: the one calibrated for
            the embedder.
        injection_max_memories: How many memories a turn is given at most (C15).
        engine_enabled: Whether anything is injected unasked (I5); None: wherever the workspace's memory is on.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    strategy: Literal["exact", "recent", "semantic", "hybrid"] | None = None
    similarity_threshold: float | None = Field(None, ge=-1, le=1, alias="similarityThreshold")
    injection_max_memories: int | None = Field(None, ge=0, le=20, alias="injectionMaxMemories")
    engine_enabled: bool | None = Field(None, alias="engineEnabled")

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "WorkspaceSettings":
        """Read settings as a caller wrote them.

        Raises:
            InvalidInput: One that the engine knows has a value it cannot have.
        """
        try:
            return cls.model_validate(dict(settings))
        except ValidationError as error:
            first = error.errors()[0]
            field = f"settings.{first['loc'][0]}"
            raise InvalidInput(field, f"{field}: {first['msg']}, got {first['input']!r:.60}") from None
