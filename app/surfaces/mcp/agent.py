"""Tools of the default profile, under plain names: remember, forget and ask."""

from dataclasses import replace

from pydantic import Field

from app.surfaces.mcp import automem
from app.surfaces.mcp.tool import READS, BriefArguments, Call, Tool
from graph.core.text.prompts import as_data
from graph.retrieval.answering.models import Answer, Citation
from graph.tenancy.access.models import Scope


class Ask(BriefArguments):
    """Arguments of ``ask``."""

    question: str = Field(min_length=1, description="In plain words.")


async def _ask(call: Call, asked: Ask) -> str:
    answering = call.services.retrieval.answering
    return _told(await answering.ask(call.workspace_id, asked.question, api_key_id=call.principal.key_id))


def _told(answer: Answer) -> str:
    """Format an answer: one line for each citation, the missing parts, and its run in the audit."""
    lacks = [*filter(None, [answer.fallback]), *answer.degraded]
    return "\n".join(
        [
            answer.text,
            *(_cited(citation) for citation in answer.citations),
            *([f"Limits: {'; '.join(lacks)}"] if lacks else []),
            f"Audit: {answer.run_id}",
        ]
    )


def _cited(citation: Citation) -> str:
    fact = citation.fact
    about = [fact.kind.value, *filter(None, [fact.validity]), fact.id]
    return f"[{citation.number}] {as_data(fact.dated_text)} ({', '.join(about)})"


TOOLS = (
    replace(automem.STORE, name="remember", title="Remember"),
    replace(automem.DELETE, name="forget", title="Forget"),
    Tool(
        "ask",
        "Ask",
        "Use it when you want an answer with citations, not a list.",
        Ask,
        None,
        Scope.READ,
        READS,
        _ask,
    ),
)
