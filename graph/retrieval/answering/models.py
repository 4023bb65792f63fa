"""Models of answers, citations and the audit."""

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
    """A statement of the graph, short enough to be quoted.

    Attributes:
        id: Id of its node or relation.
        node_ids: Ids of its node, or of both ends of its relation.
        text: The quoted text.
        context: Speaker, or names of its entities; used to match the question, but not quoted.
        title: Title of its document and, on a second line, heading of its text.
        speaker: Name of the person who stated it in a conversation; None for a statement.
        effective_at: Start of its validity; else the time of the statement; None if unknown.
        text_time: Time that relative times in ``text`` refer to; None if unknown.
        t_valid: Known start of its validity; ``t_invalid`` is its end.
        validity: Its validity in words if it is not current; None if it is.
        replaced_by: Ids of the memories that supersede it.
        replaced_with: Texts of these memories for a question about the past: "before Berlin" names the later state.
        is_new_state: True if it answers instead of an older state of its slot, or for a period in the past.
        place: Rank among the hits of the search, from 0; None if it was found otherwise.
        steps: Steps of a section that ``text`` quotes whole; empty for a passage.
        heading_fit: How well the section's heading fits a question for a procedure, 0..1; 0 if it does not fit.
    """

    kind: CitationKind
    id: str
    node_ids: tuple[str, ...]
    text: str
    context: str = ""
    title: str = ""
    speaker: str | None = None
    effective_at: datetime | None = None
    text_time: datetime | None = None
    t_valid: datetime | None = None
    t_invalid: datetime | None = None
    validity: str | None = None
    replaced_by: tuple[str, ...] = ()
    replaced_with: str = ""
    is_new_state: bool = False
    place: int | None = None
    steps: tuple[str, ...] = ()
    heading_fit: float = 0.0

    @property
    def holds_since(self) -> datetime | None:
        """Start of its validity; else the time of the statement."""
        return self.effective_at

    @property
    def dated_text(self) -> str:
        """Text with the day of its relative times; see :func:`graph.memories.changes.relative_times.with_day`."""
        return with_day(self.text, self.text_time)


class Evidence(Frozen):
    """A fact with its score as an answer, 0..1; see ``graph.retrieval.answering.support``."""

    fact: SupportingFact
    score: float


class Citation(Evidence):
    """Evidence that an answer cites; ``number`` counts from 1, as in the mark ``[1]`` of the text."""

    number: int


class Answer(Frozen):
    """The graph's answer to a question.

    Attributes:
        text: Statements, each with the numbers of its citations in brackets, or a sentence that nothing supports one.
        supported: True if the answer has citations.
        model: Language model that wrote the answer; None: the answer quotes facts.
        fallback: Reason why the configured model did not write it, or why the search used no vectors.
        degraded: Skipped and approximated parts of the search, with reasons.
        run_id: Id of the run in the audit.
    """

    text: str
    supported: bool
    citations: Sequence[Citation]
    model: str | None
    fallback: str | None
    degraded: Sequence[str]
    run_id: str


class PromptRun(Frozen):
    """One run in the audit: its cited nodes and its cost, without the texts of question and answer.

    Attributes:
        question_hash: SHA-256 of workspace and question; shows whether a known question was asked.
        api_key_id: API key of the caller.
        user_id: User of the caller; None: not bound to a user. ``agent_id`` likewise.
        model: Called language model, even if it failed; None: no model is configured, or no fact was related.
        node_ids: Ids of the cited nodes.
        prompt_tokens: Estimated tokens that the model read, at four characters each.
        answer_tokens: Estimated tokens that the model wrote.
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
