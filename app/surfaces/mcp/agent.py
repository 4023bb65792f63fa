"""What an agent is offered before anything else, under plain names: remembering, forgetting and asking."""

from dataclasses import replace

from pydantic import Field

from app.surfaces.mcp import automem
from app.surfaces.mcp.tool import READS, Arguments, Call, Result, Tool
from graph.retrieval.answering.models import Answer, Citation, CitationKind
from graph.tenancy.access.models import Scope


class Ask(Arguments):
    """What ``ask`` takes."""

    question: str = Field(min_length=1, description="One question, in natural language.")


class CitationShape(Result):
    """What a part of an answer rests on."""

    number: int = Field(description="As in the marks [1] of the text.")
    kind: CitationKind
    id: str = Field(description="Of the node, which get reads, or of a relation between two.")
    quote: str
    validity: str | None = Field(
        description="Until or from when it holds, or what superseded it, where it does not hold now."
    )
    score: float = Field(description="How far it answers the question, 0 to 1.")

    @classmethod
    def of(cls, citation: Citation) -> "CitationShape":
        """Return the form of a citation."""
        fact = citation.fact
        return cls(
            number=citation.number,
            kind=fact.kind,
            id=fact.id,
            quote=fact.text,
            validity=fact.validity,
            score=citation.score,
        )


class Answered(Result):
    """What ``ask`` answers."""

    text: str
    supported: bool = Field(description="False where nothing stored answers it, as the text then says.")
    citations: tuple[CitationShape, ...]
    model: str | None = Field(description="The language model that wrote it; null for the facts themselves.")
    fallback: str | None = Field(
        description="Why no language model wrote it, or no vectors served, though they were to."
    )
    degraded: tuple[str, ...] = Field(description="What was left out or approximate while looking for facts.")
    run_id: str = Field(description="Of this run in the audit.")

    @classmethod
    def of(cls, answer: Answer) -> "Answered":
        """Return the form of an answer."""
        return cls(
            text=answer.text,
            supported=answer.supported,
            citations=tuple(CitationShape.of(citation) for citation in answer.citations),
            model=answer.model,
            fallback=answer.fallback,
            degraded=tuple(answer.degraded),
            run_id=answer.run_id,
        )


async def _ask(call: Call, asked: Ask) -> Answered:
    answering = call.services.retrieval.answering
    answer = await answering.ask(call.workspace_id, asked.question, api_key_id=call.principal.key_id)
    return Answered.of(answer)


TOOLS = (
    replace(automem.STORE, name="remember", title="Remember"),
    replace(automem.DELETE, name="forget", title="Forget"),
    Tool(
        "ask",
        "Ask a question",
        "Use it when you want an answer rather than memories to read: it answers out of memories, entities and "
        "documents, cites each statement, and says so where nothing stored supports an answer. To look around, use "
        "recall.",
        Ask,
        Answered,
        Scope.READ,
        READS,
        _ask,
    ),
)
