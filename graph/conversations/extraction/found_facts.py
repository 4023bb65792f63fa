"""Facts of several messages: each fact of each author once, with its message."""

from collections.abc import Iterable
from dataclasses import dataclass

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.extraction.facts import Fact, Subject
from graph.conversations.extraction.own_sentences import asks_for_fiction
from graph.conversations.extraction.reading import facts_in_message


@dataclass(frozen=True)
class FoundFacts:
    """A fact and the message that states it."""

    fact: Fact
    message: Message

    @property
    def is_concluded(self) -> bool:
        """True if an assistant states the fact about the user."""
        return self.fact.subject is Subject.USER and self.message.role is MessageRole.ASSISTANT

    @property
    def speaker_id(self) -> str | None:
        """Id of the user who states the fact about themselves; None if an assistant does or the id is unknown."""
        is_own = self.fact.subject is Subject.USER and not self.is_concluded
        return self.message.author_id if is_own else None


def found_in(
    messages: Iterable[Message], least: float, context: frozenset[str] = frozenset()
) -> list[FoundFacts]:
    """Return the sufficiently certain facts of messages: for each author and fact, the latest statement.

    Skips an assistant's answer to a request for fiction.

    Args:
        messages: Messages in the order of the conversation.
        least: Minimum confidence of a fact.
        context: Ids of messages that are not extracted; they show which request an assistant answers.
    """
    found: dict[tuple[str | None, str], FoundFacts] = {}
    request = ""
    for message in messages:
        text = message.content or ""
        if message.role in (None, MessageRole.USER):
            request = text
        elif message.role is MessageRole.ASSISTANT and asks_for_fiction(request):
            continue
        if message.id in context:
            continue
        for fact in facts_in_message(text, role=message.role, speaker=message.speaker, day=message.day):
            if fact.confidence >= least:
                new = FoundFacts(fact, message)
                name = (new.speaker_id, fact.key)
                last = found.get(name)
                if not last or last.is_concluded or not (new.is_concluded or fact.denies_another(last.fact)):
                    found[name] = new
    return list(found.values())
