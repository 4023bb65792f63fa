"""The bench of scale, which finds where a curve bends."""

from tests.bench.scaling import Point, table_of


def test_each_size_is_a_row_with_its_missed_targets() -> None:
    table = table_of([_point(10_000, ms=20.0), _point(1_000_000, ms=80.0)])

    assert [row[0] for row in table.rows] == ["10,000", "1,000,000"]
    assert [row[3] for row in table.rows] == ["≤ 60 reached", "≤ 60 missed"]
    assert table.rows[0][1] == "20.0 / 20.0 (5,000)"


def _point(memories: int, *, ms: float) -> Point:
    return Point(
        memories=memories,
        rows_per_second=500.0,
        seconds={"largest": [ms / 1000], "smallest": [ms / 2000]},
        sizes={"largest": memories // 2, "smallest": 10},
        first_seconds=1.0,
        heap_mb=1000.0,
        disk_mb=500.0,
    )
