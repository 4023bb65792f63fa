"""Large JSON, which is parsed elsewhere and passed on in pieces."""

import json
import pickle

import pytest

from app.surfaces.http.strict_json import LARGE_BYTES, _InPieces, _packed, _unpacked, read_body
from graph.core.errors import InvalidInput


class Elsewhere:
    """Workers that run the work here and count it."""

    def __init__(self) -> None:
        self.done = 0

    async def run(self, work, *arguments, chars):
        self.done += 1
        return work(*arguments)


VALUES = {
    "vectors": [[0.25] * 384] * 200,
    "texts": ["äß" * 40_000, "x"],
    "none": None,
    "deep": [[[{"a": {}}]]],
}


async def test_only_large_bodies_are_parsed_in_another_process() -> None:
    """C15."""
    elsewhere = Elsewhere()
    small, large = b'{"a": 1}', json.dumps(VALUES).encode()

    assert await read_body(small, elsewhere) == {"a": 1}
    assert elsewhere.done == 0
    assert len(large) > LARGE_BYTES
    assert await read_body(large, elsewhere) == VALUES
    assert elsewhere.done == 1


async def test_large_bodies_are_parsed_as_strictly() -> None:
    large = b'{"x": "' + b"y" * LARGE_BYTES + b'", "a": 1, "a": 2}'

    with pytest.raises(InvalidInput, match="contains the key 'a' twice"):
        await read_body(large, Elsewhere())


def test_a_parsed_body_is_passed_on_in_small_pieces(monkeypatch) -> None:
    """C15: a reader in C that takes it all at once would block every other thread."""
    sizes = []
    read = _InPieces.read

    def watched(self, size=-1):
        sizes.append(size)
        return read(self, size)

    monkeypatch.setattr(_InPieces, "read", watched)
    numbers = [float(i) for i in range(200_000)]

    assert _unpacked(_packed(json.dumps(numbers).encode(), mends_halves=False)) == numbers
    assert len(pickle.dumps(numbers)) > 1_000_000
    assert max(sizes) < 200_000


def test_an_error_arrives_as_it_was_raised() -> None:
    error = pickle.loads(pickle.dumps(InvalidInput("body", "body: must be valid JSON")))

    assert (type(error), error.field, error.message) == (InvalidInput, "body", "body: must be valid JSON")
