"""Batches, refusals and the report of an import, with a fake service at the HTTP boundary."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from app.cli.importers.models import ChatItem, ImportedMemory, ImportItem, Record, Remark, UploadReport
from app.cli.importers.upload import BATCH_CHARS, Target, upload
from app.client.generated import RecollectClient
from app.client.transport import ApiError

Judge = Callable[[list[dict[str, Any]]], str | None]


class Service:
    """A fake service that saves batches unless ``judge`` returns an error code."""

    def __init__(self, judge: Judge = lambda _: None) -> None:
        self.judge = judge
        self.batches: list[list[str]] = []
        self.saved: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        inputs = json.loads(request.content)["variables"]["inputs"]
        contents = [each["content"] for each in inputs]
        self.batches.append(contents)
        if code := self.judge(inputs):
            error = {"message": "must not be bad", "extensions": {"code": code, "field": "content"}}
            return httpx.Response(200, json={"data": None, "errors": [error]})
        self.saved += contents
        return httpx.Response(
            200,
            json={
                "data": {
                    "saveMemoryBatch": {
                        "receipts": [{"outcome": "CREATED", "memory": {"id": "mem_1"}}] * len(inputs),
                        "errors": [],
                    }
                }
            },
        )


def facts(*contents: str) -> list[Record]:
    return [ImportItem(f"line {n}", ImportedMemory(content=c)) for n, c in enumerate(contents, start=1)]


async def run(service: Service, records: list[Record] | Iterator[Record]) -> tuple[UploadReport, int]:
    report, progress = UploadReport(), 0

    def advance(count: int) -> None:
        nonlocal progress
        progress += count

    async with RecollectClient(
        "http://recollect.test", "k", transport=httpx.MockTransport(service)
    ) as client:
        await upload(client, Target("ws_1"), records, report, on_progress=advance)
    return report, progress


async def test_items_go_in_order_a_hundred_at_a_time() -> None:
    service = Service()
    contents = [str(n) for n in range(250)]

    report, progress = await run(service, facts(*contents))

    assert [len(batch) for batch in service.batches] == [100, 100, 50]
    assert service.saved == contents
    assert (report.saved, report.skipped, progress) == (250, 0, 250)


async def test_long_items_make_smaller_batches() -> None:
    service = Service()
    half = "x" * (BATCH_CHARS // 2)

    await run(service, facts(half, half, half, half + half + half, "y"))

    assert [[len(c) for c in batch] for batch in service.batches] == [
        [len(half), len(half)],
        [len(half)],
        [3 * len(half)],
        [1],
    ]


@pytest.mark.parametrize("code", ["INVALID_INPUT", "CONFLICT", "TOO_LARGE"])
async def test_a_refused_item_is_reported_and_the_others_of_its_batch_are_saved(code: str) -> None:
    service = Service(lambda inputs: code if any("bad" in each["content"] for each in inputs) else None)
    contents = [f"bad {n}" if n in {3, 70} else f"good {n}" for n in range(100)]

    report, progress = await run(service, facts(*contents))

    (group,) = report.groups
    assert service.saved == [c for c in contents if c.startswith("good")]
    assert (report.saved, report.skipped, progress) == (98, 2, 100)
    assert (group.reason, group.places) == ("content: must not be bad", ["line 4", "line 71"])


@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "FORBIDDEN", "NOT_FOUND", "RATE_LIMITED"])
async def test_a_refusal_of_the_whole_batch_ends_the_import(code: str) -> None:
    service = Service(lambda _: code)

    with pytest.raises(ApiError) as raised:
        await run(service, facts("a", "b"))

    assert (raised.value.code, len(service.batches)) == (code, 1)


async def test_records_are_read_lazily() -> None:
    """An import may be larger than the memory of the machine."""
    service = Service()
    ahead: list[int] = []

    def endless() -> Iterator[Record]:
        for n in range(500):
            ahead.append(n - len(service.saved))
            yield ImportItem(f"line {n}", ImportedMemory(content=str(n)))

    await run(service, endless())

    assert max(ahead) == 100


async def test_the_report_groups_remarks_by_reason_with_the_first_places() -> None:
    records: list[Record] = [Remark(f"line {n}", "not JSON") for n in range(1, 8)]
    records += [Remark("line 9", "NUL bytes removed", "changed"), *facts("a")]

    report, progress = await run(Service(), records)

    assert [(g.effect, g.reason, g.count, g.places) for g in report.groups] == [
        ("skipped", "not JSON", 7, ["line 1", "line 2", "line 3", "line 4", "line 5"]),
        ("changed", "NUL bytes removed", 1, ["line 9"]),
    ]
    assert (report.saved, report.skipped, progress) == (1, 7, 8)


@pytest.mark.parametrize(
    ("read_before", "read_after", "is_asked"),
    [(None, None, False), (4, 4, False), (4, 2, False), (None, 1, True), (4, 6, True)],
)
async def test_extraction_is_requested_only_if_it_is_not_automatic(
    read_before: int | None, read_after: int | None, is_asked: bool
) -> None:
    """15.9, D27, D28: skipped messages count as read at once; the service reads the rest after a silence."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content)["query"].split("(")[0].split()[-1])
        conversation = {"id": "c", "workspaceId": "ws_1", "messageCount": 7, "memoryCount": 0}
        capture = {"added": 2, "changed": 0, "known": 5, "leftOut": []}
        job = {
            "id": "job_1",
            "workspaceId": "ws_1",
            "kind": "EXTRACT",
            "state": "PENDING",
            "attempts": 0,
            "subjectId": "c",
        }
        times = dict.fromkeys(("createdAt", "updatedAt", "dueAt"), "2026-03-01T00:00:00Z")
        data = {
            "Conversation": {"conversation": conversation | {"extractedUpTo": read_before}},
            "AppendMessages": {
                "appendMessages": conversation | {"extractedUpTo": read_after, "capture": capture}
            },
            "ExtractMemories": {"extractMemories": job | times},
        }
        return httpx.Response(200, json={"data": data[asked[-1]]})

    report = UploadReport()
    chat = ChatItem("Bread", "c", "Claude", "Bread", [{"id": "m", "content": "I bake."}], is_extracted=True)
    async with RecollectClient("http://recollect.test", "k", transport=httpx.MockTransport(answer)) as client:
        await upload(client, Target("ws_1"), [chat], report, on_progress=lambda _: None)

    assert asked == ["Conversation", "AppendMessages", *["ExtractMemories"] * is_asked]
    assert report.fields["others"] == {"messages": 7, "conversations": 1}


async def test_a_refused_message_is_not_sent_again() -> None:
    """Issue 35: the first stored message carries the title; if none is stored, nothing does."""
    sent: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        variables = json.loads(request.content)["variables"]
        if "inputs" not in variables:
            sent.append(variables["input"])
            conversation = {"id": "c", "workspaceId": "ws_1", "messageCount": 1, "memoryCount": 0}
            return httpx.Response(
                200,
                json={"data": {"appendMessages": conversation | {"extractedUpTo": None, "capture": None}}},
            )
        inputs = variables["inputs"]
        refused = [place for place, each in enumerate(inputs) if "gone" in each["content"]]
        receipt = {"outcome": "CREATED", "memory": {"id": "mem_1"}}
        errors = [
            {"index": place, "code": "CONFLICT", "field": "restoreDeleted", "message": "was deleted"}
            for place in refused
        ]
        receipts = [None if place in refused else receipt for place in range(len(inputs))]
        return httpx.Response(
            200, json={"data": {"saveMemoryBatch": {"receipts": receipts, "errors": errors}}}
        )

    records: list[Record] = []
    chats = (("c-1", ("gone", "kept", "kept too")), ("c-2", ("gone",)))
    for chat_id, texts in chats:
        messages = [{"id": f"m-{place}", "content": text} for place, text in enumerate(texts)]
        records += [
            ImportItem(
                each["id"],
                ImportedMemory(
                    content=each["content"], source_conversation_id=chat_id, source_message_id=each["id"]
                ),
            )
            for each in messages
        ]
        records.append(ChatItem(chat_id, chat_id, "Claude", "Bees", messages))
    report = UploadReport()
    async with RecollectClient("http://recollect.test", "k", transport=httpx.MockTransport(answer)) as client:
        await upload(client, Target("ws_1"), records, report, on_progress=lambda _: None)

    assert [(each["conversationId"], each["messages"]) for each in sent] == [
        ("c-1", [{"id": "m-1", "content": "kept"}])
    ]
    assert (report.saved, report.deleted, report.skipped) == (2, 2, 2)
