"""Identifiers in their documented form."""

import re
import string

from graph.core.ids import is_own_memory_id, new_id, new_memory_id


def test_ids_have_a_prefix_and_24_alphanumeric_characters() -> None:
    """A2."""
    ids = [new_id("act") for _ in range(500)]
    memory_ids = [new_memory_id() for _ in range(500)]

    assert all(re.fullmatch("act_[a-z0-9]{24}", id_) for id_ in ids)
    assert all(map(is_own_memory_id, memory_ids))
    assert set("".join(id_.removeprefix("act_") for id_ in ids)) == {*string.ascii_lowercase, *string.digits}
    assert set("".join(id_.removeprefix("mem_") for id_ in memory_ids)) == {
        *string.ascii_letters,
        *string.digits,
    }
    for each in (ids, memory_ids):
        assert len(set(each)) == len(each)
        assert len({id_[4] for id_ in each}) > 1
        assert len({id_[-1] for id_ in each}) > 1
