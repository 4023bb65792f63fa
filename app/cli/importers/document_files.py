"""Brings files and folders of documents to a running service, one by one."""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.client.transport import ApiError
from graph.knowledge.documents.parsed import PDF, PLAIN, media_type_of_file

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

_REFUSALS = frozenset({"INVALID_INPUT", "CONFLICT", "TOO_LARGE"})
"""Codes that speak of the file sent, so that the others may still be added."""


@dataclass
class DocumentReport:
    """Outcome of each file.

    Attributes:
        outcomes: Number of documents by outcome: created, updated or unchanged.
        refused: Each file that was not added, with the reason.
        partly_embedded: Number of chunks embedded only from their stored excerpt.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[Path, str]] = field(default_factory=list)
    partly_embedded: int = 0

    @property
    def added(self) -> int:
        """Number of documents that the service stores in their current form."""
        return self.outcomes.total()


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files named, and those below the folders named whose ending speaks of a document, in order.

    Hidden files and folders below a folder are passed over, and so is what a link leads to.
    """
    for path in paths:
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path


async def add_documents(
    client: "RecollectClient",
    workspace_id: str | None,
    files: Iterable[Path],
    *,
    options: dict[str, Any],
    on_progress: Callable[[Path], None],
) -> DocumentReport:
    """Add every file under its address, so that adding it again brings the same document up to date.

    Args:
        client: Connected to the service.
        workspace_id: Target; None means the workspace of the client's key.
        files: Files to add.
        options: Further fields of ``DocumentInput``, the same for every file.
        on_progress: Called before each file.

    Raises:
        ApiError: The service refuses more than single files, or does not answer.
    """
    report = DocumentReport()
    for file in files:
        on_progress(file)
        try:
            outcome, partly_embedded = await _add(client, workspace_id, _input(file, options))
        except OSError as error:
            report.refused.append((file, error.strerror or str(error)))
        except ApiError as error:
            if error.code not in _REFUSALS:
                raise
            report.refused.append((file, str(error)))
        else:
            report.outcomes[outcome] += 1
            report.partly_embedded += partly_embedded
    return report


async def _add(client: "RecollectClient", workspace_id: str | None, input_: Any) -> tuple[str, int]:
    """Add a document, and again as long as that lets the service embed more of it: it has a deadline each time.

    Returns what the first time did, and how many chunks are embedded in part at last.
    """
    added = await client.add_document(input_, workspace_id)
    left, before = added.partly_embedded_chunks, added.partly_embedded_chunks + 1
    while 0 < left < before:
        left, before = (await client.add_document(input_, workspace_id)).partly_embedded_chunks, left
    return added.changes.outcome.value if added.changes else "", left


def _input(file: Path, options: dict[str, Any]) -> dict[str, Any]:
    content = file.read_bytes()
    return {
        "uri": file.resolve().as_uri(),
        "mediaType": media_type_of_file(file.name) or (PDF if content.startswith(b"%PDF-") else PLAIN),
        "contentBase64": base64.b64encode(content).decode(),
        **options,
    }


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_below(path)
        elif path.is_file() and media_type_of_file(path.name):
            yield path
