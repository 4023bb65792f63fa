"""The tables that report a measurement's long run, for any figures."""

from tests.bench.abstention_asking import Answered
from tests.bench.abstention_asking import table_of as asking_table
from tests.bench.abstention_questions import Asked
from tests.bench.big_store import Store, Tenant
from tests.bench.memory_use import _outcome as memory_outcome
from tests.bench.model_times import ModelTimes
from tests.bench.speed import RecallTimes, SaveTimes, tables
from tests.bench.world import Size

STORE = Store(Size(memories=30, workspaces=1), [Tenant("ws_a", ["mem_a"] * 30)], rows_per_second=10.0)
MODEL = ModelTimes(load_seconds=0.5, p50_ms=3.0, texts_per_second=500.0)


def test_speed_is_compared_with_its_targets() -> None:
    times = RecallTimes(cached=[0.03], uncached=[0.05], fast=[0.01], statement=[0.02], model=[0.005])
    saves = SaveTimes(
        single=[0.01, 0.03],
        written=[0.01],
        together=390.0,
        answered=800.0,
        bulk=90.0,
        linked=60.0,
        embedder=100.0,
        neo4j=200.0,
    )

    recall, saving, models = tables(STORE, {"only": times}, saves, {"e5-small-v2": MODEL})

    assert recall.rows == [
        [
            "only",
            "30",
            "30.0 / 30.0",
            "20.0 / 20.0",
            "1.50 ≤ 2 reached",
            "10.0 / 10.0",
            "50.0 / 50.0",
            "5.0 / 5.0",
            "≤ 46 missed",
        ],
    ]
    assert saving.rows == [
        ["one save, p50 / p95 ms", "20.0 / 29.0", ""],
        ["the bare write transaction of the same memory, p50 / p95 ms", "10.0 / 10.0", ""],
        ["one save against it, p50", "2.00", "≤ 2.5 reached"],
        ["single saves a second, 16 clients", "390", "≥ 400 missed"],
        ["requests for nothing but the key's workspace a second, 16 clients", "800", ""],
        ["2,000 saved and embedded, a second", "90", ""],
        ["saved, embedded and linked, a second", "60", ""],
        ["embedder alone, a second", "100", ""],
        ["Neo4j alone (vectors supplied), a second", "200", ""],
        ["bulk against the slower of the two", "90%", "≥ 0.8 reached"],
    ]
    assert models.rows == [["e5-small-v2", "0.50", "3.0", "500"]]


def test_memory_is_compared_with_its_targets() -> None:
    (table,) = memory_outcome(STORE, 400.0, 500.0, 1300.0, [700.0, 900.0])

    assert [row[1:] for row in table.rows] == [
        ["400", ""], ["500", ""], ["1300", "≤ 1200 missed"], ["700", ""], ["900", "≤ 2048 reached"],
    ]  # fmt: skip


def test_asking_is_compared_with_its_targets_on_conversations() -> None:
    answers = [
        answered("conversations", "answerable", is_for_tuning=True, is_supported=True, cites_gold=True),
        answered("conversations", "answerable", is_for_tuning=False, is_supported=True),
        answered("conversations", "foreign", is_for_tuning=False, is_supported=True),
        answered("notes", "answerable", is_for_tuning=True, is_supported=False),
    ]

    assert asking_table(answers).rows == [
        ["conversations: answerable", "2", "1.000", "1.000", "≥ 0.9 reached"],
        ["of these citing a gold turn", "2", "1.000", "0.000", ""],
        ["conversations: unanswerable, so without support", "1", "0.000", "1.000", "≤ 0.03 missed"],
        ["conversations: foreign", "1", "0.000", "1.000", ""],
        ["notes: answerable", "1", "0.000", "0.000", ""],
    ]


def answered(
    place: str, kind: str, *, is_for_tuning: bool, is_supported: bool, cites_gold: bool = False
) -> Answered:
    return Answered(place, Asked("what?", kind), is_for_tuning, is_supported, cites_gold)
