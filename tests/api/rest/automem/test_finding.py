"""``GET /recall``, ``GET /memory/by-tag`` and ``POST /associate``."""

import pytest

from graph.memories.models import MemoryDraft, MemoryState
from tests.fixtures.states import reached

NOWHERE = "00000000-0000-4000-8000-000000000000"
OLD, NEW = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


@pytest.fixture
async def known(rest, services, workspace_id) -> dict[str, str]:
    """Save memories, wait for their vectors, and return their ids by tag."""
    bodies = {
        "slack:channel:general": {
            "importance": 0.6,
            "timestamp": OLD,
            "content": "The general channel is loud.",
        },
        "slack:user:one": {"importance": 0.6, "timestamp": NEW, "content": "This user writes at night."},
        "mail/work": {
            "importance": 0.9,
            "type": "Habit",
            "timestamp": NEW,
            "content": "Mail is read twice a day.",
        },
    }
    ids = {
        tag: (await rest.post("/memory", {**body, "tags": [tag, "all"]}))["memory_id"]
        for tag, body in bodies.items()
    }
    await reached(services, workspace_id, list(ids.values()), MemoryState.EMBEDDED)
    return ids


def ids_of(answer) -> list[str]:
    return [result["id"] for result in answer["results"]]


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        (["slack"], ["slack:user:one", "slack:channel:general"]),
        (["Slack:Channel"], ["slack:channel:general"]),
        (["slack:channel:general", "mail"], ["mail/work", "slack:channel:general"]),
        (["mail,slack"], ["mail/work", "slack:user:one", "slack:channel:general"]),
        (["chan"], []),
    ],
    ids=repr,
)
async def test_a_tag_includes_the_tags_below_it(rest, known, tags, found) -> None:
    """C18, C20, N5: any of the tags; the most important first, then the latest."""
    answer = await rest.get("/memory/by-tag", tags=tags)

    assert ids_of(answer) == [known[tag] for tag in found]
    assert answer["count"] == len(found)


async def test_the_number_of_tags_is_limited(rest, known) -> None:
    """C20."""
    assert ids_of(await rest.get("/memory/by-tag", tags="all", limit=1)) == [known["mail/work"]]


async def test_a_list_by_tag_has_fifty_rows_by_default(rest, services, workspace_id) -> None:
    """C20."""
    drafts = [
        MemoryDraft(content=f"Note number {number}.", tags=("many",), dedup=False) for number in range(60)
    ]
    await services.memories.store.save_all(workspace_id, drafts)

    assert (await rest.get("/memory/by-tag", tags="many"))["count"] == 50
    assert (await rest.get("/memory/by-tag", tags="many", limit=100))["count"] == 60


async def test_a_query_finds_by_words_and_by_meaning(rest, known) -> None:
    """C19: each hit names its tier."""
    answer = await rest.get("/recall", query="who writes at night", limit=2)

    assert answer["results"][0]["id"] == known["slack:user:one"]
    assert {result["match_type"] for result in answer["results"]} <= {"vector", "keyword"}
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ({"tags": ["slack", "all"], "tag_mode": "all"}, ["slack:user:one", "slack:channel:general"]),
        ({"tags": "slack,mail"}, ["mail/work", "slack:user:one", "slack:channel:general"]),
        ({"tags": "all", "type": "Habit"}, ["mail/work"]),
        ({"tags": "all", "min_importance": 0.7}, ["mail/work"]),
        ({"tags": "all", "since": "2026-01-15"}, ["mail/work", "slack:user:one"]),
        ({"tags": "all", "until": "2026-01-15T00:00:00Z"}, ["slack:channel:general"]),
        ({"tags": "all", "until": "1768435200"}, ["slack:channel:general"]),
        ({"tags": "all", "end": "2026"}, ["mail/work", "slack:user:one", "slack:channel:general"]),
    ],
    ids=repr,
)
async def test_filters_of_a_recall(rest, known, parameters, found) -> None:
    """C17, C18, C19: by tags alone, without a query."""
    answer = await rest.get("/recall", **parameters)

    assert ids_of(answer) == [known[tag] for tag in found]
    assert {result["match_type"] for result in answer["results"]} == {"tag"}


async def test_without_query_and_tags_the_newest_come_first(rest, known) -> None:
    """C19: at most five."""
    answer = await rest.get("/recall")

    assert ids_of(answer) == list(reversed(known.values()))
    assert answer["query"] is None


async def test_a_recall_can_select_memories_valid_at_a_time(rest) -> None:
    """A34."""
    await rest.post("/memory", {"content": "Held in winter.", "tags": ["w"], "t_invalid": "2026-03-01"})

    assert (await rest.get("/recall", tags="w", valid_at="2026-02-01"))["count"] == 1
    assert (await rest.get("/recall", tags="w", valid_at="2026-04-01"))["count"] == 0


async def test_relations_are_seen_from_both_ends_and_five_at_most(rest, services, workspace_id) -> None:
    """C21, E2: the five strongest."""
    hub = (await rest.post("/memory", {"content": "In the middle.", "tags": ["hub"]}))["memory_id"]
    drafts = [MemoryDraft(content=f"Spoke number {number}.", tags=("spoke",)) for number in range(6)]
    spokes = [saved.memory.id for saved in await services.memories.store.save_all(workspace_id, drafts)]
    for number, spoke in enumerate(spokes):
        body = {"memory1_id": spoke, "memory2_id": hub, "type": "DERIVED_FROM", "strength": number / 10}
        await rest.post("/associate", body)

    (middle,) = (await rest.get("/memory/by-tag", tags="hub"))["results"]
    outer = (await rest.get("/memory/by-tag", tags="spoke"))["results"]

    assert [relation["memory"]["id"] for relation in middle["relations"]] == spokes[:0:-1]
    assert {relation["direction"] for relation in middle["relations"]} == {"in"}
    assert {relation["direction"] for result in outer for relation in result["relations"]} == {"out"}


async def test_a_repeated_association_changes_its_strength(rest, known) -> None:
    """E2: two memories have one edge of each type."""
    one, other = known["slack:user:one"], known["mail/work"]
    body = {"memory1_id": one, "memory2_id": other, "type": "INVALIDATED_BY"}

    first = await rest.post("/associate", body)
    second = await rest.post("/associate", {**body, "strength": 0.9})

    assert (first["strength"], second["strength"]) == (0.5, 0.9)
    assert first["association_id"] == second["association_id"]


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"type": "KNOWS"}, 400, "type"),
        ({"strength": 2}, 400, "strength"),
        ({"memory1_id": ""}, 400, "memory1_id"),
        ({"memory2_id": "{one}"}, 400, "memory2_id"),
        ({"memory1_id": NOWHERE}, 404, "memory1_id"),
        ({"memory1_id": "nowhere"}, 400, "memory1_id"),
        ({"memory2_id": NOWHERE}, 404, "memory2_id"),
        ({"more": 1}, 400, "more"),
    ],
    ids=repr,
)
async def test_an_invalid_association_is_refused(rest, known, change, status, field) -> None:
    """E2, K18."""
    one = known["slack:user:one"]
    body = {"memory1_id": one, "memory2_id": known["mail/work"], "type": "RELATES_TO", **change}
    body = {name: one if value == "{one}" else value for name, value in body.items()}

    assert (await rest.post("/associate", body, status=status))["field"] == field


@pytest.mark.parametrize(
    ("path", "parameters", "field"),
    [
        ("/memory/by-tag", {}, "tags"),
        ("/memory/by-tag", {"tags": " , "}, "tags"),
        ("/memory/by-tag", {"tags": "a", "limit": 0}, "limit"),
        ("/memory/by-tag", {"tags": "a", "limit": 101}, "limit"),
        ("/memory/by-tag", {"tags": "a", "limit": "many"}, "limit"),
        ("/memory/by-tag", {"tags": "x" * 201}, "tags"),
        ("/memory/by-tag", {"tags": ["x"] * 101}, "tags"),
        ("/recall", {"limit": 51}, "limit"),
        ("/recall", {"tag_mode": "some"}, "tag_mode"),
        ("/recall", {"type": "factual"}, "type"),
        ("/recall", {"type": "null"}, "type"),
        ("/recall", {"min_score": "null"}, "min_score"),
        ("/recall", {"min_importance": 1.5}, "min_importance"),
        ("/recall", {"valid_at": "soon"}, "valid_at"),
        ("/recall", {"since": "2026-02-01", "until": "2026-01-01"}, "until"),
    ],
    ids=repr,
)
async def test_parameters_that_break_a_rule_are_refused(rest, path, parameters, field) -> None:
    """K18: the error names them as sent."""
    assert (await rest.get(path, status=400, **parameters))["field"] == field


async def test_the_tag_route_is_not_read_as_a_memory_id(rest) -> None:
    """K11: ``/memory/by-tag`` is matched before ``/memory/{id}``."""
    assert (await rest.get("/memory/by-tag", tags="x"))["results"] == []
