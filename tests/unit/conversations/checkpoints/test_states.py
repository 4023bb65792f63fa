"""Serialised states: what is taken of callers, and what the graph holds."""

import base64
import os

import pytest
import zstandard

from graph.conversations.checkpoints.states import MOST_BYTES, decoded, packed, unpacked
from graph.core.errors import Conflict, InvalidInput


@pytest.mark.parametrize("state", [b"", b"\x00\xff", b"x" * MOST_BYTES, os.urandom(100_000)], ids=len)
def test_a_state_comes_back_as_it_was(state) -> None:
    assert decoded("state", base64.b64encode(state).decode()) == state
    assert unpacked(packed(state)) == state


@pytest.mark.parametrize("text", ["x", "eA", "eA==\n", "e A=", "é", "eA=", "_-8=", "eA==eA=="])
def test_what_is_no_base64_is_refused_by_its_field(text) -> None:
    with pytest.raises(InvalidInput, match="state must be base64") as refused:
        decoded("state", text)

    assert refused.value.field == "state"


@pytest.mark.parametrize("more", [1, 2, 3, 1_000_000])
def test_what_is_too_large_is_refused_by_its_field(more) -> None:
    with pytest.raises(InvalidInput, match="value must have at most 4194304 bytes"):
        decoded("value", base64.b64encode(bytes(MOST_BYTES + more)).decode())


@pytest.mark.parametrize(
    "stored",
    [b"", b"plain", packed(b"state")[:-1], zstandard.compress(bytes(MOST_BYTES + 1))],
    ids=["empty", "plain", "cut", "too large"],
)
def test_what_this_service_did_not_write_is_not_unpacked(stored) -> None:
    with pytest.raises(Conflict):
        unpacked(stored)
