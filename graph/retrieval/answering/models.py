"""Shapes of answers, of what they cite, and of the audit."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import field_validator

from graph.core.models import Frozen
from graph.memories.changes.relative_times import with_day


class CitationKind(StrEnum):
    """Kinds of citations."""

    MEMORY = "memory"
    ENTITY = "entity"
    RELATION = "relation"
    CHUNK = "chunk"
    ARTIFACT = "artifact"
    EPISODE = "episode"


class RunOutcome(StrEnum):
    """Outcome of a run."""

    ANSWERED = "answered"
    UNSUPPORTED = "unsupported"


class SupportingFact(Frozen):
    """A statement that the graph holds, small enough to be quoted.

    Attributes:
        id: Of the node that says it, or of the relation.
        node_ids: The nodes that support it: the one that says it, or both ends of the relation.
        text: What is quoted.
        context: Who said it or what it belongs to: helps to tell whether it answers, and is not quoted.
        title: Title of the document and, on a line of its own, heading of the text that it is from.
        speaker: The person among persons who said it, by name; None for a statement.
        said_at: Since when it holds, or else when it was said; None where that is not known.
        text_said_at: Time of the words of ``text``; None if unknown.
        t_valid: Since when it is known to hold; ``t_invalid``: until when.
        validity: Until or from when it holds, or what superseded it, as words; None where it holds now.
        replaced_by: Ids of the memories that took its place.
        replaced_with: What these say, where the past is asked for: "before Berlin" names what came after.
        is_new_state: Whether it answers in the place of an older state.
        place: Among what the search found, 0 for the first; None for what was found otherwise.
    """

    kind: CitationKind
    id: str
    node_ids: tuple[str, ...]
    text: str
    context: str = ""
    title: str = ""
    speaker: str | None = None
    said_at: datetime | None = None
    text_said_at: datetime | None = None
    t_valid: datetime | None = None
    t_invalid: datetime | None = None
    validity: str | None = None
    replaced_by: tuple[str, ...] = ()
    replaced_with: str = ""
    is_new_state: bool = False
    place: int | None = None

    @property
    def holds_since(self) -> datetime | None:
        """Since when it holds, or else when it was said."""
        return self.said_at

    @property
    def dated_text(self) -> str:
        """The text for a model to read; see :func:`graph.memories.changes.relative_times.with_day`."""
        return with_day(self.text, self.text_said_at)


class Evidence(Frozen):
    """A fact and how far it answers a question; ``score`` is 0..1, see ``graph.retrieval.answering.support``."""

    fact: SupportingFact
    score: float


class Citation(Evidence):
    """Evidence that an answer names; ``number`` counts from 1, as in the marks ``[1]`` of the text."""

    number: int


class Answer(Frozen):
    """The graph's answer to a question.

    Attributes:
        text: Statements, each with the numbers of its citations in brackets; a sentence that says so if there are none.
        supported: Whether anything in the graph supports an answer.
        model: The language model that wrote it; None where it is put together from the facts themselves.
        fallback: Why no model wrote it, or no vectors served, though they were to.
        degraded: What was left out or approximate while looking for facts, with the reason.
        run_id: Of the run in the audit.
    """

    text: str
    supported: bool
    citations: Sequence[Citation]
    model: str | None
    fallback: str | None
    degraded: Sequence[str]
    run_id: str


class PromptRun(Frozen):
    """One run in the audit: which nodes it rests on and what it cost, but no word of the question or the answer.

    Attributes:
        question_hash: SHA-256 of workspace and question: tells whether a question that is known was asked.
        api_key_id: Who asked.
        user_id: On whose behalf; None: nobody's in particular. ``agent_id`` likewise.
        model: The language model that was asked, whether or not it could answer; None: there was none to ask.
        node_ids: Of the nodes cited.
        prompt_tokens: What the model read, estimated at four characters each.
        answer_tokens: What the model wrote, estimated likewise.
        credits: Thousands of tokens that the model read and wrote.
    """

    id: str
    workspace_id: str
    question_hash: str
    api_key_id: str | None
    user_id: str | None = None
    agent_id: str | None = None
    model: str | None
    outcome: RunOutcome
    node_ids: Sequence[str]
    prompt_tokens: int
    answer_tokens: int
    credits: float
    fallback: str | None
    duration_ms: float
    created_at: datetime

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None
