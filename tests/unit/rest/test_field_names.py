"""Errors name fields as the dialect does."""

import pytest

from app.rest.field_names import named_as
from graph.core.errors import InvalidInput, NotFound


def test_a_field_that_the_dialect_calls_otherwise_is_renamed_in_the_message_too() -> None:
    with pytest.raises(InvalidInput) as refused, named_as({"tInvalid": "t_invalid"}):
        raise InvalidInput("tInvalid", "tInvalid must not be before tValid")

    assert (refused.value.field, refused.value.message) == (
        "t_invalid",
        "t_invalid must not be before tValid",
    )


@pytest.mark.parametrize("field", ["content", None])
def test_other_fields_stay_as_they_are(field) -> None:
    with pytest.raises(NotFound) as refused, named_as({"tInvalid": "t_invalid"}):
        raise NotFound("there is none", field=field)

    assert (refused.value.field, refused.value.message) == (field, "there is none")
