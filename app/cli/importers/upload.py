"""Brings records to a running service, in batches and in order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.cli.importers.models import ImportItem, Record, Remark
from app.cli.importers.report import UploadReport
from app.client.transport import ApiError

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

BATCH_ITEMS = 100
BATCH_CHARS = 1_000_000
"""Contents are cut at 32,000 characters, so a batch of long ones must stay below the service's body limit."""

_REFUSALS = frozenset({"INVALID_INPUT", "CONFLICT", "TOO_LARGE", "TOO_COMPLEX"})
"""Codes that speak of the items sent, so that the others of the batch may still be saved."""


async def upload(
    client: "RecollectClient",
    workspace_id: str | None,
    records: Iterable[Record],
    report: UploadReport,
    *,
    on_progress: Callable[[int], None],
) -> None:
    """Save every item of ``records`` in their order and enter everything else into ``report``.

    Args:
        client: Connected to the service.
        workspace_id: Where to; None means the workspace of the client's key.
        records: Read as they are needed.
        report: Counts what was saved and what was not.
        on_progress: Called with the number of records that were dealt with since the last call.

    Raises:
        ApiError: The service refuses more than single items, or does not answer.
    """
    for batch in _batches(records, report, on_progress):
        await _save(client, workspace_id, batch, report)
        on_progress(len(batch))


def _batches(
    records: Iterable[Record], report: UploadReport, on_progress: Callable[[int], None]
) -> Iterator[list[ImportItem]]:
    batch: list[ImportItem] = []
    chars = 0
    for record in records:
        if isinstance(record, Remark):
            report.add(record)
            on_progress(int(record.effect == "skipped"))
            continue
        if batch and (len(batch) == BATCH_ITEMS or chars + len(record.memory.content) > BATCH_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(record)
        chars += len(record.memory.content)
    if batch:
        yield batch


async def _save(
    client: "RecollectClient", workspace_id: str | None, items: Sequence[ImportItem], report: UploadReport
) -> None:
    """Save the items together; where the service refuses that, halve until the refused ones stand alone."""
    inputs: Any = [item.memory.to_input() for item in items]
    try:
        receipts = await client.import_memories(inputs, workspace_id)
    except ApiError as error:
        if error.code not in _REFUSALS:
            raise
        if len(items) == 1:
            report.add(Remark(items[0].where, str(error)))
            return
        middle = len(items) // 2
        await _save(client, workspace_id, items[:middle], report)
        await _save(client, workspace_id, items[middle:], report)
    else:
        report.saved += len(items)
        report.unchanged += sum(receipt.outcome.value == "UNCHANGED" for receipt in receipts)
