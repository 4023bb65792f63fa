"""Memories of earlier releases, whose words were searched as English ones whatever language they are in."""

from graph.core.data_versions.once import once_in_a_store
from graph.core.database import Database
from graph.memories import queries
from graph.memories.saving.indexing import language_of_earlier

_TOGETHER = 1000


@once_in_a_store("texts have languages")
async def note_earlier_languages(database: Database) -> None:
    """Have every memory indexed in its language."""
    place = ""
    while rows := await queries.list_texts_without_language(database, after=place, limit=_TOGETHER):
        place = rows[-1].place
        await queries.note_languages(
            database,
            rows=[
                {
                    "workspace_id": row.workspace_id,
                    "id": row.id,
                    "revision": row.revision,
                    "properties": language_of_earlier(row.content, row.searched),
                }
                for row in rows
            ],
        )
