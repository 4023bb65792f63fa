"""Answers to questions about the graph, and their audit log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import ScopeArgument, Shown, made_of, or_default, scoped
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from app.surfaces.graphql.traversal import read_node
from graph.knowledge.models import NodeKind
from graph.retrieval.answering import models
from graph.retrieval.answering.models import CitationKind, RunOutcome
from graph.tenancy.models import Scope

strawberry.enum(CitationKind)
strawberry.enum(RunOutcome)

_NODE_KINDS: Mapping[CitationKind, NodeKind] = {
    kind: NodeKind[kind.name] for kind in CitationKind if kind is not CitationKind.RELATION
}


@strawberry.type
class Citation:
    """A source of a part of an answer."""

    number: int = strawberry.field(description="Number of the citation in the text: 1 for the mark [1].")
    kind: CitationKind
    node_id: strawberry.ID = strawberry.field(description="Id of the cited node or relation.")
    node_ids: list[strawberry.ID] = strawberry.field(
        description="Id of the cited node, or of both ends of the relation."
    )
    quote: str
    validity: str | None = strawberry.field(
        description="Start or end of validity, or the superseding memory; null if the fact is valid now."
    )
    score: float = strawberry.field(description="Support of the answer, 0 to 1.")
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def node(self, info: Info) -> Node | None:
        """Cited node; null for a relation and for a deleted node."""
        kind = _NODE_KINDS.get(self.kind)
        return await read_node(info, self.workspace_id, kind, self.node_id) if kind else None

    @classmethod
    def of(cls, citation: models.Citation, workspace_id: str) -> "Citation":
        """Return the GraphQL form of a citation."""
        fact = citation.fact
        return made_of(
            cls,
            fact,
            number=citation.number,
            node_id=fact.id,
            quote=fact.dated_text,
            score=citation.score,
            workspace_id=workspace_id,
        )


@strawberry.type
class Answer:
    """The graph's answer to a question."""

    text: str
    supported: bool = strawberry.field(
        description="True if the graph supports an answer. If not, the text states it and has no citations."
    )
    citations: list[Citation]
    model: str | None = strawberry.field(
        description="Language model that wrote it; null if composed from the facts themselves."
    )
    fallback: str | None = strawberry.field(
        description="Reason why the configured language model or the vectors were not used; null if they were."
    )
    degraded: list[str] = strawberry.field(
        description="Omitted or approximated steps of the search for facts."
    )
    run_id: strawberry.ID = strawberry.field(description="Id of this run in promptRuns.")

    @classmethod
    def of(cls, answer: models.Answer, workspace_id: str) -> "Answer":
        """Return the GraphQL form of an answer."""
        return made_of(
            cls,
            answer,
            citations=[Citation.of(citation, workspace_id) for citation in answer.citations],
        )


@strawberry.type
class PromptRun(Shown[models.PromptRun]):
    """Audit entry of one answer: its sources and costs, without the question or the answer."""

    id: strawberry.ID
    question_hash: str = strawberry.field(
        description="SHA-256 of the workspace's id, a line feed, and the question with single spaces."
    )
    api_key_id: strawberry.ID | None
    user_id: strawberry.ID | None = strawberry.field(description="User who asked; null if unknown.")
    agent_id: strawberry.ID | None
    model: str | None = strawberry.field(
        description="Language model of the request, even if it did not answer."
    )
    outcome: RunOutcome
    node_ids: list[strawberry.ID]
    prompt_tokens: int = strawberry.field(description="Input tokens, at four characters each.")
    answer_tokens: int = strawberry.field(description="Output tokens, at four characters each.")
    credits: float = strawberry.field(
        description="Thousands of tokens read and written; 0 without a language model."
    )
    fallback: str | None
    duration_ms: float
    created_at: datetime


@strawberry.type
class PromptRunConnection(Connection[PromptRun]):
    """A page of the audit log of answers."""


@strawberry.type
class AnswerQueries:
    """Queries that answer questions, and their audit log."""

    @strawberry.field
    async def ask(
        self,
        info: Info,
        question: Annotated[
            str,
            strawberry.argument(
                description="Question; the service reads the last 2000 characters of a long one."
            ),
        ],
        workspace_id: WorkspaceId = None,
        scope: ScopeArgument = None,
    ) -> Answer:
        """Answer to a question from memories, entities, relations and documents.

        The workspace's language model writes it, if there is one. Every statement has a citation.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        answering = info.context.services.retrieval.answering
        with scoped(scope):
            answer = await answering.ask(workspace, question, api_key_id=info.context.principal.key_id)
        return Answer.of(answer, workspace)

    @strawberry.field
    async def prompt_runs(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> PromptRunConnection:
        """Audit entries of answers, the newest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.retrieval.answering.runs(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, PromptRun.of, after)
        return PromptRunConnection(edges=edges, page_info=page_info)
