"""Base of all shapes of the dialect: camelCase, no unknown fields, strict types."""

from typing import Annotated, Final

from litestar.params import QueryParameter
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.rest.texts import NOT_BLANK

OF_MEMORY: Final = {CREDENTIAL: Credential.KEY_OR_SESSION}
"""Credential of the routes of memories: each requires the scope of its operation."""
OF_SETTINGS: Final = {CREDENTIAL: Credential.MANAGEMENT}
"""The credential that routes of settings take."""


class Answer(BaseModel):
    """Base of the dialect's responses."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Body(BaseModel):
    """Base of the dialect's requests; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


OwnKey = Annotated[
    str | None,
    QueryParameter(
        name="apiKeyId",
        max_length=512,
        description="Only what this key saved; left out: every key's.",
        schema_extra=NOT_BLANK,
    ),
]
