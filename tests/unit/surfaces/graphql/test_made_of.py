"""GraphQL types, which show the fields of the same names of the engine's models."""

import pytest
import strawberry
from pydantic import BaseModel

from app.surfaces.graphql.inputs import made_of


class Model(BaseModel):
    name: str = "heron"
    tags: tuple[str, ...] = ("a", "b")
    counts: dict[str, int] = {"a": 1}
    hidden: str = "not shown"

    @property
    def length(self) -> int:
        return len(self.name)


@strawberry.type
class Shown:
    name: str
    tags: list[str]
    counts: strawberry.scalars.JSON
    length: int
    owner: strawberry.Private[str] = "nobody"


def test_equal_field_names_are_converted_to_graphql() -> None:
    assert made_of(Shown, Model()) == Shown(name="heron", tags=["a", "b"], counts={"a": 1}, length=5)


def test_a_given_value_overrides_the_models() -> None:
    shown = made_of(Shown, Model(), name="gull", owner="me")

    assert (shown.name, shown.owner, shown.length) == ("gull", "me", 5)


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(TypeError, match="length"):
        made_of(Shown, object(), name="heron", tags=[], counts={})
