"""Compacts memories into summaries, or shortens them to a token budget; never runs automatically."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.events import Announcer
from graph.core.models import Frozen, MemoryEventType
from graph.core.ports import Clock, WakeUp
from graph.core.scope import ReadScope, current_scope, seeing
from graph.core.text.budget import MOST_TOKENS, estimate_tokens
from graph.core.text.checks import short_text
from graph.memories import queries
from graph.memories.compaction.rewriting import FEWEST_TOGETHER, Rewriter
from graph.memories.compaction.wording import (
    LEAST_LINE_CHARS,
    LINE_CHARS,
    fitting_line_chars,
    may_be_compacted,
)
from graph.memories.models import Memory, SavedMemory
from graph.memories.saving.announcing import announce_saved

DEFAULT_MAX_TOKENS = 4000


class CompactionMode(StrEnum):
    """Treatment of memories beyond the token budget."""

    TRUNCATE = "truncate"
    CONDENSE = "condense"


class CompactionRequest(Frozen):
    """Parameters of a requested compaction.

    Attributes:
        older_than_days: Replace memories older than this with summaries; None: compact by ``mode``.
        mode: Treatment of memories beyond ``max_tokens``; None: TRUNCATE.
        max_tokens: Tokens of the memories that TRUNCATE leaves unchanged, or of CONDENSE's summary; 1 to 8000.
        api_key_id: API key that saved the memories; None: all.
        session_id: Session of the memories; None: all.
        dry_run: Report the expected effect, but change nothing.
    """

    older_than_days: int | None = None
    mode: CompactionMode | None = None
    max_tokens: int = DEFAULT_MAX_TOKENS
    api_key_id: str | None = None
    session_id: str | None = None
    dry_run: bool = False


class CompactionReport(Frozen):
    """Effect of a compaction, or its expected effect.

    Attributes:
        candidate_count: Number of compacted memories.
        candidates: The first 100 compacted memories, in their previous state.
        tokens_before: Estimated tokens of the compacted memories.
        tokens_after: Estimated tokens of their replacements.
        texts: Texts of the summaries.
        summaries: The created summaries; none in a dry run.
    """

    dry_run: bool
    candidate_count: int = 0
    candidates: tuple[Memory, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
    texts: tuple[str, ...] = ()
    summaries: tuple[Memory, ...] = ()

    @property
    def tokens_saved(self) -> int:
        """Estimated tokens that the compaction saves; never negative."""
        return self.tokens_before - self.tokens_after


TOGETHER = 120  # memories per page, and per transaction that truncates them
SUMMARY_CHARS = 4000
"""Length limit of a summary by age, about half of a context's default tokens: other memories still fit."""
_MOST_SHOWN = 100
_MOST_DAYS = 36_500
_CHARS_PER_TOKEN = 4


@dataclass
class _Tally:
    """Running totals of a compaction."""

    dry_run: bool
    count: int = 0
    shown: list[Memory] = field(default_factory=list)
    before: int = 0
    after: int = 0
    texts: list[str] = field(default_factory=list)
    summaries: list[Memory] = field(default_factory=list)

    def add(self, memories: Sequence[Memory], texts: Sequence[str]) -> None:
        """Add compacted memories and the texts that replace them."""
        self.count += len(memories)
        self.shown += memories[: _MOST_SHOWN - len(self.shown)]
        self.before += sum(estimate_tokens(memory.content) for memory in memories)
        self.after += sum(estimate_tokens(text) for text in texts)

    def report(self) -> CompactionReport:
        """Return the totals as a report."""
        return CompactionReport(
            dry_run=self.dry_run,
            candidate_count=self.count,
            candidates=tuple(self.shown),
            tokens_before=self.before,
            tokens_after=self.after,
            texts=tuple(self.texts),
            summaries=tuple(self.summaries),
        )


class Compactor:
    """Compacts memories; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        rewriter: Rewriter,
        wake_up: WakeUp,
        announcer: Announcer,
    ) -> None:
        self._database = database
        self._clock = clock
        self._rewriter = rewriter
        self._wake_up = wake_up
        self._announcer = announcer

    @takes_long
    async def compact(self, workspace_id: str, request: CompactionRequest) -> CompactionReport:
        """Compact memories by age, or to a token budget.

        With an age, summaries of at most 4000 characters replace the old memories, with one line for each. A summary
        is linked to its originals as its sources, and they can be restored, unless the setting ``compaction_delete``
        deletes them permanently. Without an age, TRUNCATE shortens each memory beyond the budget to three sentences,
        and CONDENSE replaces all memories with one summary.

        Conversation turns and summaries stay unchanged. A summary never combines memories of several owners nor, by
        age, of several API keys. It gets the session and the tags that all of its originals share. An interrupted call
        can be repeated: it continues with the remaining memories.

        Raises:
            InvalidInput: A number is out of range, a key is blank, the call has both an age and a mode, or
                ``max_tokens`` is too small for a line of each memory.
            Unavailable: The graph does not answer; memories compacted so far stay compacted.
        """
        _check(request)
        scope = current_scope()
        with seeing(ReadScope.of_owner(scope.user_id, scope.agent_id)):
            return await self._compact(workspace_id, request)

    async def _compact(self, workspace_id: str, request: CompactionRequest) -> CompactionReport:
        tally = _Tally(request.dry_run)
        if request.older_than_days is not None:
            await self._sum_up(workspace_id, request, timedelta(days=request.older_than_days), tally)
        elif request.mode is CompactionMode.CONDENSE:
            await self._condense(workspace_id, request, tally)
        else:
            await self._truncate(workspace_id, request, tally)
        if tally.count and not request.dry_run:
            await self._wake_up.signal()
        return tally.report()

    # ----- by age -----
    async def _sum_up(
        self, workspace_id: str, request: CompactionRequest, age: timedelta, tally: _Tally
    ) -> None:
        oldest = self._pages(
            queries.list_oldest_to_compact, workspace_id, request, created_before=self._clock.now() - age
        )
        async for group in self._groups(workspace_id, oldest):
            if len(group) >= FEWEST_TOGETHER:
                await self._replace(workspace_id, request, group, tally)

    async def _replace(
        self,
        workspace_id: str,
        request: CompactionRequest,
        memories: Sequence[Memory],
        tally: _Tally,
        *,
        line_chars: int = LINE_CHARS,
    ) -> None:
        if request.dry_run:
            lined = await self._rewriter.lined(workspace_id, memories, line_chars)
            text = "\n".join(line for _, line in lined)
            tally.add([memory for memory, _ in lined], [text])
            tally.texts.append(text)
            return
        made = await self._rewriter.replace(
            workspace_id, [memory.id for memory in memories], line_chars=line_chars
        )
        if made is None:
            return
        summary = made.receipt.memory
        tally.add(made.originals, [summary.content])
        tally.texts.append(summary.content)
        tally.summaries.append(summary)
        self._announce(workspace_id, made.receipt, made.originals)

    def _announce(self, workspace_id: str, receipt: SavedMemory, originals: Sequence[Memory]) -> None:
        announce_saved(self._announcer, workspace_id, [receipt])
        ids = [memory.id for memory in originals]
        self._announcer.memories_changed(workspace_id, MemoryEventType.DELETED, ids)

    async def _groups(
        self, workspace_id: str, pages: AsyncIterator[list[Memory]]
    ) -> AsyncIterator[list[Memory]]:
        """Yield groups of memories of one API key, in order; the lines of a group fit into one summary."""
        groups: defaultdict[str | None, list[Memory]] = defaultdict(list)
        chars: Counter[str | None] = Counter()
        async for page in pages:
            for memory, line in await self._rewriter.lined(workspace_id, page, LINE_CHARS):
                key, length = memory.api_key_id, len(line) + 1
                if groups[key] and chars[key] + length > SUMMARY_CHARS:
                    yield groups.pop(key)
                    chars[key] = 0
                groups[key].append(memory)
                chars[key] += length
        for group in groups.values():
            yield group

    # ----- to a number of tokens -----
    async def _condense(self, workspace_id: str, request: CompactionRequest, tally: _Tally) -> None:
        """Replace every memory that becomes shorter with one summary of at most ``max_tokens``."""
        most_chars = request.max_tokens * _CHARS_PER_TOKEN
        most_lines = most_chars // (LEAST_LINE_CHARS + 1)
        memories: list[Memory] = []
        async for page in self._pages(queries.list_newest_to_compact, workspace_id, request):
            lined = await self._rewriter.lined(workspace_id, page, LEAST_LINE_CHARS)
            memories += [memory for memory, _ in lined]
            if len(memories) > most_lines:
                raise InvalidInput(
                    "maxTokens",
                    f"{request.max_tokens} tokens hold one line for each of {most_lines} memories, but there are more: "
                    "raise maxTokens, name a session, or set olderThanDays",
                )
        if not memories:
            return
        line_chars = fitting_line_chars(len(memories), most_chars) or LEAST_LINE_CHARS
        memories = [memory for memory, _ in await self._rewriter.lined(workspace_id, memories, line_chars)]
        if len(memories) >= FEWEST_TOGETHER:
            await self._replace(workspace_id, request, memories, tally, line_chars=line_chars)

    async def _truncate(self, workspace_id: str, request: CompactionRequest, tally: _Tally) -> None:
        """Keep the newest memories that fit the budget; shorten all from the first that does not fit."""
        room = request.max_tokens
        async for page in self._pages(queries.list_newest_to_compact, workspace_id, request):
            beyond: list[Memory] = []
            for memory in page:
                tokens = estimate_tokens(memory.content)
                room = room - tokens if tokens <= room else -1
                if room < 0 and may_be_compacted(memory):
                    beyond.append(memory)
            await self._shorten(workspace_id, request, beyond, tally)

    async def _shorten(
        self, workspace_id: str, request: CompactionRequest, memories: Sequence[Memory], tally: _Tally
    ) -> None:
        texts = await self._rewriter.shortened(memories)
        long = [(each, text) for each, text in zip(memories, texts, strict=True) if text != each.content]
        if request.dry_run:
            tally.add([each for each, _ in long], [text for _, text in long])
        elif long:
            cut = await self._rewriter.shorten(workspace_id, [each.id for each, _ in long])
            tally.add([each.before for each in cut], [each.after.content for each in cut])
            ids = [each.after.id for each in cut]
            self._announcer.memories_changed(workspace_id, MemoryEventType.UPDATED, ids)

    async def _pages(
        self,
        list_memories: Callable[..., Awaitable[list[Memory]]],
        workspace_id: str,
        request: CompactionRequest,
        **others: datetime,
    ) -> AsyncIterator[list[Memory]]:
        """Yield the pages of a listing query for the requested memories."""
        after: Memory | None = None
        while True:
            memories = await list_memories(
                self._database,
                workspace_id=workspace_id,
                api_key_id=request.api_key_id,
                session_id=request.session_id,
                now=self._clock.now(),
                after_created=after.created_at if after else None,
                after_id=after.id if after else None,
                limit=TOGETHER,
                **others,
            )
            yield memories
            if len(memories) < TOGETHER:
                return
            after = memories[-1]


def _check(request: CompactionRequest) -> None:
    """Check the parameters of a compaction.

    Raises:
        InvalidInput: A number is out of range, a key is blank, or the call has both an age and a mode.
    """
    short_text("apiKeyId", request.api_key_id)
    if request.older_than_days is not None and not 0 <= request.older_than_days <= _MOST_DAYS:
        raise InvalidInput(
            "olderThanDays",
            f"olderThanDays must be between 0 and {_MOST_DAYS}, got {request.older_than_days}",
        )
    if request.older_than_days is not None and request.mode is not None:
        raise InvalidInput("mode", "mode must be omitted if olderThanDays is given")
    if not 1 <= request.max_tokens <= MOST_TOKENS:
        raise InvalidInput(
            "maxTokens", f"maxTokens must be between 1 and {MOST_TOKENS}, got {request.max_tokens}"
        )
