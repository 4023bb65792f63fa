"""Facts of several messages: each fact of each author once, with the message that tells it."""

from collections.abc import Iterable
from dataclasses import dataclass

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.extraction.facts import Fact, Subject
from graph.conversations.extraction.own_words import asks_for_fiction
from graph.conversations.extraction.reading import facts_in_message


@dataclass(frozen=True)
class FoundFacts:
    """A fact, and the message that tells it."""

    fact: Fact
    message: Message

    @property
    def is_concluded(self) -> bool:
        """Whether it is an assistant that says it of the user."""
        return self.fact.subject is Subject.USER and self.message.role is MessageRole.ASSISTANT

    @property
    def teller_id(self) -> str | None:
        """The user who tells it of themselves; None: nobody who is known by an id."""
        is_own = self.fact.subject is Subject.USER and not self.is_concluded
        return self.message.author_id if is_own else None


def found_in(
    messages: Iterable[Message], least: float, context: frozenset[str] = frozenset()
) -> list[FoundFacts]:
    """Return what messages tell that is sure enough, each fact of each author once, as it was told last.

    An assistant's answer to a request for fiction tells nothing.

    Args:
        messages: In the order of the conversation.
        least: Minimum confidence of a fact.
        context: Ids of messages that are not read, but may be what an assistant answers.
    """
    found: dict[tuple[str | None, str], FoundFacts] = {}
    asked = ""
    for message in messages:
        text = message.content or ""
        if message.role in (None, MessageRole.USER):
            asked = text
        elif message.role is MessageRole.ASSISTANT and asks_for_fiction(asked):
            continue
        if message.id in context:
            continue
        for fact in facts_in_message(text, role=message.role, speaker=message.speaker, day=message.day):
            if fact.confidence >= least:
                new = FoundFacts(fact, message)
                name = (new.teller_id, fact.key)
                last = found.get(name)
                if not last or last.is_concluded or not (new.is_concluded or fact.denies_another(last.fact)):
                    found[name] = new
    return list(found.values())
