"""Memories of earlier releases, whose words were searched as English ones whatever language they are in."""

from graph.core.data_versions.queries import find_data_version, note_data_version
from graph.core.database import Database
from graph.core.ports import Clock
from graph.memories import queries
from graph.memories.saving.indexing import language_of_earlier

_DONE = "texts have languages"
_TOGETHER = 1000


async def note_earlier_languages(database: Database, clock: Clock) -> None:
    """Have every memory indexed in its language; done once, and harmless where it is done again."""
    if await find_data_version(database, name=_DONE) is not None:
        return
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
    await note_data_version(database, name=_DONE, now=clock.now())
