"""Cursors of pages, which callers may forge (K8)."""

import base64
import json

import pytest

from graph.core.errors import InvalidInput
from graph.core.pages import Cursor


@pytest.mark.parametrize("rank", ["NaN", "Infinity", "-Infinity", "1e400", "1e300", '"x"', "[]"])
def test_a_cursor_with_an_invalid_rank_is_refused(rank: str) -> None:
    made_up = base64.urlsafe_b64encode(f'{{"rank": {rank}, "id": "x"}}'.encode()).decode()

    with pytest.raises(InvalidInput, match="after must be a cursor"):
        Cursor.decode(made_up)


def test_a_cursor_round_trips() -> None:
    cursor = Cursor(rank=12, id="mem_x")

    assert Cursor.decode(cursor.encode()) == cursor
    assert json.loads(base64.urlsafe_b64decode(cursor.encode() + "==")) == {"rank": 12.0, "id": "mem_x"}
