"""What all shapes of the dialect have in common: camelCase, no unknown fields, and no value taken for another."""

from typing import Annotated, Final

from litestar.params import QueryParameter
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from app.surfaces.http.credentials import CREDENTIAL, Credential

OPT: Final = {CREDENTIAL: Credential.MANAGEMENT}
"""The credential that every route of the dialect takes."""


class Answer(BaseModel):
    """What the dialect answers."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Body(BaseModel):
    """What the dialect is sent; a field that nobody knows is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


OwnKey = Annotated[
    str | None,
    QueryParameter(
        name="apiKeyId", max_length=512, description="Only what this key saved; left out: every key's."
    ),
]
