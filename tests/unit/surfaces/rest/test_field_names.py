"""Errors with the field names of a dialect."""

import pytest

from app.surfaces.http.refusals import named_as
from graph.core.errors import NotFound


def test_only_whole_field_names_are_renamed() -> None:
    """K12: an id that contains a field's name stays unchanged."""
    with pytest.raises(NotFound) as refusal, named_as({"id": "memoryId"}):
        raise NotFound("id: there is no memory 'mem_XXidYY' of that id", field="id")

    assert refusal.value.field == "memoryId"
    assert refusal.value.message == "memoryId: there is no memory 'mem_XXidYY' of that memoryId"
