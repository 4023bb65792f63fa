"""Checkpoints: the states in which frameworks for agents leave their threads."""

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, given, or_default
from app.surfaces.graphql.made_of import Shown, made_of
from app.surfaces.graphql.pages import Connection, connection_parts
from app.surfaces.graphql.scoping import ScopeArgument, scoped
from graph.conversations.checkpoints import models
from graph.core.errors import InvalidInput
from graph.tenancy.access.models import Scope

_PAGE = 20


@strawberry.type
class CheckpointWrite(Shown[models.CheckpointWrite]):
    """Something that a task wrote on top of a checkpoint, before its step was done."""

    task_id: strawberry.ID
    task_path: str = strawberry.field(description="Where the task stands among those of its step.")
    position: int = strawberry.field(
        description="Its place among the writes of its task, from 0; below it stand errors, interrupts and the like."
    )
    channel: str = strawberry.field(description="What was written to.")
    value: str = strawberry.field(description="Base64 of what the framework serialised.")
    value_type: str = strawberry.field(description="How the framework serialised it.")

    @classmethod
    def of(cls, model: models.CheckpointWrite, **others: Any) -> Self:
        """Return the GraphQL form of a write."""
        return made_of(cls, model, value=_base64(model.value), **others)


@strawberry.type
class Checkpoint(Shown[models.Checkpoint]):
    """The state of a thread after one step, as a framework for agents serialised it."""

    workspace_id: strawberry.ID
    thread_id: strawberry.ID
    namespace: str = strawberry.field(description="Of a graph within the graph; empty for the outermost one.")
    checkpoint_id: strawberry.ID = strawberry.field(
        description="Unique in its thread and namespace; later ones are greater."
    )
    parent_id: strawberry.ID | None = strawberry.field(description="The checkpoint that it follows.")
    state: str = strawberry.field(description="Base64 of what the framework serialised.")
    state_type: str = strawberry.field(description="How the framework serialised it.")
    metadata: JSON
    user_id: strawberry.ID | None = strawberry.field(description="Whose its thread is; null: everybody's.")
    agent_id: strawberry.ID | None = strawberry.field(
        description="Which agent's its thread is; null: every agent's."
    )
    created_at: datetime
    updated_at: datetime = strawberry.field(description="When it was saved last.")
    writes: list[CheckpointWrite] = strawberry.field(
        description="What tasks wrote on top of it, in the order in which they are applied."
    )

    @classmethod
    def of(cls, model: models.Checkpoint, **others: Any) -> Self:
        """Return the GraphQL form of a checkpoint."""
        writes = [CheckpointWrite.of(write) for write in model.writes]
        state = _base64(model.state)
        return made_of(cls, model, checkpoint_id=model.id, state=state, writes=writes, **others)


@strawberry.type
class CheckpointConnection(Connection[Checkpoint]):
    """A page of checkpoints."""


@strawberry.input
class SaveCheckpointInput:
    """A checkpoint to save; one of the same thread, namespace and id is replaced."""

    thread_id: strawberry.ID = strawberry.field(
        description="Of the caller's choice, at most 512 characters; a thread begins with what is saved of it first."
    )
    checkpoint_id: strawberry.ID = strawberry.field(
        description="At most 128 letters, digits, '_', '.', ':' and '-'; later ones must be greater, as times are."
    )
    state: str = strawberry.field(
        description="Base64 of what the framework serialised, at most 4 MiB. The service does not look into it."
    )
    state_type: str = strawberry.field(
        description="How the framework serialised it, such as `msgpack`; at most 64 characters."
    )
    namespace: str = strawberry.field(
        default="", description="Of a graph within the graph, at most 1024 characters."
    )
    parent_id: strawberry.ID | None = strawberry.field(
        default=None, description="The checkpoint that it follows."
    )
    metadata: JSON | None = strawberry.field(
        default=None,
        description="A JSON object of at most 65,536 characters, by which `checkpoints` finds it.",
    )
    user_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whose a new thread is; left out: that of the key, or everybody's. It is erased with the user.",
    )
    agent_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Which agent's a new thread is; left out: that of the key, or every agent's.",
    )


@strawberry.input
class CheckpointWriteInput:
    """Something that a task wrote."""

    position: int = strawberry.field(
        description="Its place among the writes of its task. From 0 what was stored first stays; below it, where "
        "errors and interrupts stand, it is replaced."
    )
    channel: str = strawberry.field(description="What was written to, at most 512 characters.")
    value: str = strawberry.field(description="Base64 of what the framework serialised.")
    value_type: str = strawberry.field(description="How the framework serialised it; at most 64 characters.")


@strawberry.input
class SaveCheckpointWritesInput:
    """What one task wrote on top of a checkpoint, which may be saved before it or after it."""

    thread_id: strawberry.ID
    checkpoint_id: strawberry.ID = strawberry.field(description="The checkpoint that the step began at.")
    task_id: strawberry.ID = strawberry.field(
        description="At most 128 letters, digits, '_', '.', ':' and '-'."
    )
    writes: list[CheckpointWriteInput] = strawberry.field(description="1 to 1000, together at most 4 MiB.")
    namespace: str = strawberry.field(
        default="", description="Of a graph within the graph, at most 1024 characters."
    )
    task_path: str = strawberry.field(
        default="", description="Where the task stands among those of its step: writes are ordered by it."
    )
    user_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whose a new thread is; left out: that of the key, or everybody's.",
    )
    agent_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Which agent's a new thread is; left out: that of the key, or every agent's.",
    )


@strawberry.type
class CheckpointQueries:
    """Reading checkpoints."""

    @strawberry.field
    async def checkpoint(
        self,
        info: Info,
        thread_id: strawberry.ID,
        namespace: str | None = "",
        id: Annotated[
            strawberry.ID | None, strawberry.argument(description="Left out: the latest of the namespace.")
        ] = None,
        workspace_id: WorkspaceId = None,
    ) -> Checkpoint | None:
        """The checkpoint of an id, or the latest of a thread; null where there is none."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.conversations.checkpoints.find(
            workspace, thread_id, namespace=or_default(namespace, ""), id_=id
        )
        return Checkpoint.of(found) if found else None

    @strawberry.field
    async def checkpoints(
        self,
        info: Info,
        thread_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="Left out: those of all threads.")
        ] = None,
        namespace: Annotated[
            str | None, strawberry.argument(description="Left out: those of every namespace.")
        ] = None,
        before: Annotated[
            strawberry.ID | None, strawberry.argument(description="Only those whose ids are below this one.")
        ] = None,
        metadata: Annotated[
            JSON | None,
            strawberry.argument(
                description="A JSON object: only those whose metadata have these values; null: none of that name."
            ),
        ] = None,
        first: int | None = _PAGE,
        after: str | None = None,
        workspace_id: WorkspaceId = None,
        scope: ScopeArgument = None,
    ) -> CheckpointConnection:
        """A page of checkpoints, the latest first, each with its state; it ends early after 16 MiB of states."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        if not isinstance(metadata, Mapping | None):
            raise InvalidInput("metadata", "metadata must be a JSON object")
        wanted = models.CheckpointFilter(
            thread_id=thread_id, namespace=namespace, before=before, metadata=metadata or {}
        )
        with scoped(scope):
            page = await info.context.services.conversations.checkpoints.page(
                workspace, wanted, first=or_default(first, _PAGE), after=after
            )
        edges, page_info = connection_parts(page, Checkpoint.of, after)
        return CheckpointConnection(edges=edges, page_info=page_info)


@strawberry.type
class CheckpointMutations:
    """Writing checkpoints."""

    @strawberry.mutation
    async def save_checkpoint(
        self, info: Info, input: SaveCheckpointInput, workspace_id: WorkspaceId = None
    ) -> bool:
        """Save a checkpoint, whether or not memory is on; true if it is new, false if it replaced that of its id.

        It is never embedded, linked or found by a search, and nothing is learnt from it.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        draft = build(models.CheckpointDraft, given(input))
        return await info.context.services.conversations.checkpoints.save(workspace, draft)

    @strawberry.mutation
    async def save_checkpoint_writes(
        self, info: Info, input: SaveCheckpointWritesInput, workspace_id: WorkspaceId = None
    ) -> int:
        """Save what a task wrote on top of a checkpoint; how much of it is new or replaced what was there."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        writes = [build(models.WriteDraft, given(write)) for write in input.writes]
        draft = build(models.WritesDraft, {**given(input), "writes": writes})
        return await info.context.services.conversations.checkpoints.save_writes(workspace, draft)

    @strawberry.mutation
    async def delete_thread(
        self, info: Info, thread_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> bool:
        """Delete a thread with all its checkpoints permanently; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.conversations.checkpoints.delete_thread(workspace, thread_id)


def _base64(state: bytes) -> str:
    return base64.b64encode(state).decode("ascii")
