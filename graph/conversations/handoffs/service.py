"""Use cases of handoff summaries: write and read them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from graph.conversations import queries
from graph.conversations.capture.models import Conversation
from graph.conversations.capture.service import Conversations
from graph.conversations.capture.statements import chars_of, is_talk
from graph.conversations.episodes.service import Episodes
from graph.conversations.handoffs.extracting import HandoffSource, extracted, language_of
from graph.conversations.handoffs.models import ConversationSummary, Handoff, HandoffLanguage, Summariser
from graph.conversations.handoffs.writing import (
    UnusableHandoff,
    WrittenHandoff,
    instructions,
    prompt_for,
    validated,
)
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import NotFound
from graph.core.ids import new_id
from graph.core.ports import Clock, LanguageModel, LanguageModelFailed, LanguageModels
from graph.core.text.work import TextWork
from graph.memories.policy import CONCLUDING_SOURCES

_log = structlog.get_logger("recollect.handoffs")

_FIRST_MESSAGES = 40
_LAST_MESSAGES = 360
_MOST_MEMORIES = 50
_BEFORE_STAYS = "the language model failed; the summary that it wrote before stays"
_SOURCES = tuple(sorted(CONCLUDING_SOURCES))


@dataclass(frozen=True)
class _Written:
    handoff: Handoff
    summarised_by: Summariser
    message_count: int
    model: str | None = None
    fallback: str | None = None


class Handoffs:
    """The use cases of handoff summaries; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        conversations: Conversations,
        episodes: Episodes,
        clock: Clock,
        language_models: LanguageModels,
        text_work: TextWork,
    ) -> None:
        self._database = database
        self._conversations = conversations
        self._episodes = episodes
        self._clock = clock
        self._language_models = language_models
        self._text_work = text_work

    async def summarise(self, workspace_id: str, conversation_id: str) -> ConversationSummary:
        """Write the handoff summary of a conversation in its primary language, and replace the previous one.

        The sources are the stored messages without injected memory, the latest episodes, and memories extracted from
        the conversation. A long conversation contributes its first 40 and last 360 messages; a language model reads as
        many of the newest as fit into its prompt. The workspace's language model writes the summary. Without one, or
        if it fails, rules select sentences. If the model fails and it wrote the previous summary, that summary
        stays, and ``fallback`` of the result states the reason.

        Raises:
            NotFound: The workspace has no such conversation.
        """
        touches(conversation_id)
        conversation = await self._conversations.find(workspace_id, conversation_id)
        if conversation is None:
            raise _not_found(conversation_id)
        source = await self._source(conversation)
        chars = chars_of(source.messages)
        language = await self._text_work.run(language_of, source, chars=chars)
        written = await self._write(workspace_id, source, language)
        if written.fallback is not None:
            before = (await self.of_conversations(workspace_id, [conversation_id])).get(conversation_id)
            if before is not None and before.summarised_by is Summariser.MODEL:
                return before.model_copy(update={"fallback": _BEFORE_STAYS})
        summary = await queries.replace_conversation_summary(
            self._database,
            workspace_id=workspace_id,
            conversation_id=conversation_id,
            id=new_id("sum"),
            properties={
                "language": language,
                "handoff": written.handoff.model_dump_json(),
                "summary": written.handoff.project_topic,
                "summarised_by": written.summarised_by,
                "model": written.model,
                "fallback": written.fallback,
                "message_count": written.message_count,
            },
            now=self._clock.now(),
        )
        if summary is None:
            raise _not_found(conversation_id)
        return summary

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, ConversationSummary]:
        """Return the existing summaries by their ids."""
        summaries = await queries.get_conversation_summaries(
            self._database, workspace_id=workspace_id, ids=ids
        )
        return {summary.id: summary for summary in summaries}

    async def of_conversations(
        self, workspace_id: str, conversation_ids: Sequence[str]
    ) -> dict[str, ConversationSummary]:
        """Return the summaries of conversations, by conversation id."""
        summaries = await queries.list_summaries_of_conversations(
            self._database, workspace_id=workspace_id, conversation_ids=conversation_ids
        )
        return {summary.conversation_id: summary for summary in summaries}

    async def _source(self, conversation: Conversation) -> HandoffSource:
        workspace_id, id_ = conversation.workspace_id, conversation.id
        messages, episodes, memories = await asyncio.gather(
            queries.list_both_ends(
                self._database,
                workspace_id=workspace_id,
                conversation_id=id_,
                first=_FIRST_MESSAGES,
                last=_LAST_MESSAGES,
            ),
            self._episodes.latest(workspace_id, id_),
            queries.list_concluded(
                self._database,
                workspace_id=workspace_id,
                conversation_id=id_,
                source_types=_SOURCES,
                now=self._clock.now(),
                limit=_MOST_MEMORIES,
            ),
        )
        return HandoffSource(
            title=conversation.title,
            messages=messages,
            episodes=episodes,
            memories=memories,
        )

    async def _write(self, workspace_id: str, source: HandoffSource, language: HandoffLanguage) -> _Written:
        fallback = None
        model = await self._language_models.of(workspace_id)
        if model is not None and (source.messages or source.episodes):
            try:
                return await self._ask(model, source, language)
            except (LanguageModelFailed, UnusableHandoff) as error:
                _log.warning("handoffs.not_written", reason=type(error).__name__)
                fallback = "put together from what was said: the language model failed"
        handoff = await self._text_work.run(extracted, source, language, chars=chars_of(source.messages))
        talk = sum(map(is_talk, source.messages))
        return _Written(handoff, Summariser.RULES, talk, fallback=fallback)

    async def _ask(self, model: LanguageModel, source: HandoffSource, language: HandoffLanguage) -> _Written:
        prompt = await self._text_work.run(prompt_for, source, chars=chars_of(source.messages))
        answer = await model.complete_as(instructions(language), prompt.text, WrittenHandoff)
        return _Written(validated(answer), Summariser.MODEL, prompt.message_count, model=model.name)


def _not_found(conversation_id: str) -> NotFound:
    return NotFound(f"there is no conversation {conversation_id!r} in this workspace", field="conversationId")
