"""The generated store: its shape follows its size and is the same in every run."""

import numpy as np
import pytest

from tests.bench.world import Size, World


@pytest.mark.parametrize(("memories", "workspaces"), [(100_000, 200), (2000, 20), (100, 3)])
def test_sizes_are_proportional_to_one_over_the_rank_and_add_up(memories: int, workspaces: int) -> None:
    sizes = Size(memories, workspaces).of_workspaces()

    assert sum(sizes) == memories
    assert len(sizes) == workspaces
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] / sizes[1] == pytest.approx(2.0, rel=0.1)


def test_two_runs_make_the_same_memories() -> None:
    first, second = ([*world().memories(3, 45)] for _ in range(2))

    assert first == second
    assert [draft.session_id for draft in first[::20]] == ["session-0", "session-1", "session-2"]


def test_vectors_are_unit_vectors_near_their_topic() -> None:
    topics = np.arange(200)
    made = world()

    vectors = made.vectors(np.random.default_rng(1), topics)

    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(200), abs=1e-5)
    near = (vectors * made.centres[topics]).sum(axis=1)
    far = (vectors * made.centres[topics + 200]).sum(axis=1)
    assert near.mean() == pytest.approx(1 / np.sqrt(1 + 0.8**2), abs=0.02)
    assert abs(far.mean()) < 0.02


def test_questions_are_distinct() -> None:
    asked = world().queries(50, seed=1)

    assert len(set(asked)) == len(asked) == 50


def world() -> World:
    centres = np.random.default_rng(0).standard_normal((1000, 384)).astype(np.float32)
    return World(centres / np.linalg.norm(centres, axis=1, keepdims=True))
