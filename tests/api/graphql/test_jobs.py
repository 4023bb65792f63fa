"""Background jobs for operators: listed newest first, retried, and paged without gaps."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.core import queries
from graph.core.models import JobKind
from tests.fixtures.waiting import until

FAR = datetime(2126, 1, 1, tzinfo=UTC)  # no worker claims a job that is due then
LIST = """
query($first: Int, $after: String, $state: JobState) {
  jobs(first: $first, after: $after, state: $state) {
    edges { cursor node { id subjectId kind state attempts error dueAt } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}
"""
RETRY = "mutation($id: ID!) { retryJob(id: $id) { id state attempts error } }"


async def enqueue(
    services, workspace_id: str, *subjects: str, now: datetime = FAR - timedelta(days=1)
) -> None:
    await queries.enqueue_jobs(
        services.core.database,
        workspace_id=workspace_id,
        kind=JobKind.EMBED,
        subject_ids=subjects,
        now=now,
        due_at=FAR,
    )


async def park(services, id_: str) -> None:
    await queries.fail_jobs(
        services.core.database,
        jobs=[{"id": id_, "revision": 1, "error": "no model", "retry_at": None}],
        now=FAR,
    )


async def test_a_parked_job_is_listed_with_its_error_and_retried(graphql, services, workspace_id) -> None:
    """A worker then finds nothing to embed, so the job is done."""
    await enqueue(services, workspace_id, "mem_nobodys", "mem_waiting")
    waiting, parked = (edge["node"] for edge in (await graphql.ok(LIST))["jobs"]["edges"])
    if parked["subjectId"] != "mem_nobodys":
        waiting, parked = parked, waiting
    await park(services, parked["id"])

    listed = await graphql.ok(LIST, state="FAILED")
    retried = await graphql.ok(RETRY, id=parked["id"])

    (edge,) = listed["jobs"]["edges"]
    assert edge["node"] == {**parked, "state": "FAILED", "error": "no model", "dueAt": None}
    assert retried["retryJob"]["state"] == "PENDING"
    assert retried["retryJob"]["attempts"] == 0

    async def is_gone() -> bool:
        left = (await graphql.ok(LIST))["jobs"]["edges"]
        return [edge["node"]["id"] for edge in left] == [waiting["id"]]

    await until(is_gone)


async def test_a_job_of_another_workspace_cannot_be_retried(graphql, services, other_workspace_id) -> None:
    await enqueue(services, other_workspace_id, "mem_theirs")
    page = await services.core.jobs.page(other_workspace_id)
    theirs = page.items[0].id

    error = await graphql.error(RETRY, id=theirs)
    missing = await graphql.error(RETRY, id="job_missing")

    assert error == {**missing, "message": missing["message"].replace("job_missing", theirs)}
    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")
    assert (await services.core.jobs.page(other_workspace_id)).items[0] == page.items[0]


async def pages(graphql, size: int) -> list[list[str]]:
    found, after = [], None
    while True:
        page = (await graphql.ok(LIST, first=size, after=after))["jobs"]
        info = page["pageInfo"]
        found.append([edge["node"]["subjectId"] for edge in page["edges"]])
        assert info["hasPreviousPage"] is (after is not None)
        if not info["hasNextPage"]:
            return found
        assert info["endCursor"] == page["edges"][-1]["cursor"]
        after = info["endCursor"]


@pytest.fixture
async def forty_jobs(services, workspace_id) -> list[str]:
    """Enqueue forty jobs, some of them at the same time; return their subjects in order."""
    subjects = [f"mem_{number:02}" for number in range(40)]
    for group in range(10):
        now = FAR - timedelta(days=1) + timedelta(seconds=group)
        await enqueue(services, workspace_id, *subjects[group * 4 : group * 4 + 4], now=now)
    return subjects


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(1, 45))
async def test_pages_of_any_size_show_each_job_once_newest_first(graphql, forty_jobs, size) -> None:
    found = await pages(graphql, size)

    flat = [subject for page in found for subject in page]
    assert sorted(flat) == forty_jobs
    groups = [flat[i : i + 4] for i in range(0, 40, 4)]
    assert [sorted(group) for group in groups] == [forty_jobs[i : i + 4] for i in range(36, -4, -4)]
    assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)


@pytest.mark.parametrize("first", [0, -1, 201, 2**31 - 1])
async def test_a_page_size_out_of_range_is_refused(graphql, first) -> None:
    error = await graphql.error(LIST, first=first)

    assert error == {
        "message": f"first must be between 1 and 200, got {first}",
        "code": "INVALID_INPUT",
        "field": "first",
    }


async def test_a_page_size_of_null_is_the_default(graphql) -> None:
    assert (await graphql.ok(LIST, first=None))["jobs"]["edges"] == []
