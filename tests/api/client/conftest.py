"""Clients that poll for jobs themselves."""

from collections.abc import Iterator

import pytest

from tests.fixtures.waiting import background


@pytest.fixture(autouse=True)
def background_works() -> Iterator[None]:
    with background.awaited():
        yield
