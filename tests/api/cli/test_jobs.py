"""``recollect jobs``, which lists open jobs and retries parked ones."""

import pytest

from graph.tenancy.models import Scope
from tests.fixtures.jobs import park_jobs
from tests.fixtures.waiting import until

WHY = "the [bold]endpoint[/] answers 503"


@pytest.fixture
def park(graph_driver, workspace_id):
    """Return a function that parks jobs of the test's own workspace, whose memories are gone."""

    async def park(*names: str) -> list[str]:
        return await park_jobs(graph_driver, workspace_id, *names, error=WHY)

    return park


@pytest.fixture
def parked(services, workspace_id):
    """Return a function that gives the ids of the parked jobs in the test's own workspace."""

    async def parked() -> set[str]:
        page = await services.core.jobs.page(workspace_id, first=200)
        return {job.id for job in page.items}

    return parked


async def test_parked_jobs_are_listed_with_their_reason(cli, park) -> None:
    """M9, M15: the reason is printed unchanged."""
    (id_,) = await park("one")

    (line,) = (await cli.ok("jobs", "list", "--state", "parked")).splitlines()[1:]

    told = line.split()
    assert told[:5] == [id_, "LINK", "mem_one", "parked", "5"]
    assert line.rstrip().endswith(WHY)
    assert len((await cli.ok("jobs", "list")).splitlines()) == 2
    assert len((await cli.ok("jobs", "list", "--state", "pending")).splitlines()) == 1


async def test_a_parked_job_is_tried_again_by_its_id(cli, park, parked) -> None:
    """M9: it runs when due and disappears when done; the others stay."""
    first, second = await park("one", "two")

    assert await cli.ok("jobs", "retry", first) == f"due {first}\n"

    async def is_done() -> bool:
        return await parked() == {second}

    await until(is_done)


async def test_retrying_all_retries_every_parked_job(cli, park, parked) -> None:
    ids = await park("one", "two", "three")

    printed = await cli.ok("jobs", "retry", "--all-parked")

    assert sorted(printed.splitlines()) == sorted(f"due {id_}" for id_ in ids)

    async def is_done() -> bool:
        return await parked() == set()

    await until(is_done)
    assert await cli.ok("jobs", "retry", "--all-parked") == ""


async def test_an_administrator_names_the_workspace(admin_cli, park, workspace_id) -> None:
    """The job does not exist in other workspaces."""
    (id_,) = await park("one")

    assert id_ in await admin_cli.error("jobs", "retry", id_)
    assert id_ in await admin_cli.ok("jobs", "list", "--workspace", workspace_id, "--state", "parked")
    assert f"due {id_}" in await admin_cli.ok("jobs", "retry", id_, "--workspace", workspace_id)


async def test_a_missing_job_is_named_and_the_others_are_retried(cli, park) -> None:
    (id_,) = await park("one")

    result = await cli.run("jobs", "retry", "job_none", id_)

    assert (result.exit_code, result.stdout) == (1, f"due {id_}\n")
    assert "job_none" in result.stderr
    assert id_ not in result.stderr


@pytest.mark.parametrize("arguments", [(), ("job_1", "--all-parked")], ids=["neither", "both"])
async def test_retry_takes_either_job_ids_or_all(cli, arguments) -> None:
    assert "--all-parked" in await cli.error("jobs", "retry", *arguments)


async def test_a_read_only_key_may_not_retry_jobs(cli, services, workspace_id, park) -> None:
    """I8."""
    (id_,) = await park("one")
    _, secret = await services.tenancy.keys.create(workspace_id, name="reader", scopes=[Scope.READ])
    reader = type(cli)(cli.url, secret, cli.folder)

    assert id_ in await reader.ok("jobs", "list")
    assert "scope" in await reader.error("jobs", "retry", id_)
