"""Tools of an agent under plain names: ``ask`` and ``profile``."""

from pydantic import Field

from app.surfaces.mcp.tool import READS, Arguments, BriefArguments, Call, Result, Tool
from app.surfaces.tools import Count, ProfileFields
from graph.core.text.prompts import as_data
from graph.retrieval.answering.models import Answer, Citation
from graph.tenancy.models import Scope


class Ask(BriefArguments):
    """Arguments of ``ask``."""

    question: str = Field(min_length=1, description="In plain words.")


async def _ask(call: Call, arguments: Ask) -> str:
    answering = call.services.retrieval.answering
    return _formatted(
        await answering.ask(call.workspace_id, arguments.question, api_key_id=call.principal.key_id)
    )


def _formatted(answer: Answer) -> str:
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


class ProfileToRead(Arguments):
    """Arguments of ``profile``."""

    max_tokens: Count | None = Field(None, description="Token budget of the text; defaults to 1000.")


class ProfileShape(ProfileFields, Result):
    """Profile of a user; ``etag`` changes only when the facts do."""

    etag: str


async def _profile(call: Call, arguments: ProfileToRead) -> ProfileShape:
    profiles = call.services.retrieval.profiles
    found = await profiles.get(call.workspace_id, max_tokens=arguments.max_tokens)
    return ProfileShape.model_validate(found, from_attributes=True)


TOOLS = (
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
    Tool(
        "profile",
        "Profile",
        "Use it when a conversation begins: tells who the user is, with home, work, preferences, projects and people.",
        ProfileToRead,
        ProfileShape,
        Scope.READ,
        READS,
        _profile,
    ),
)
