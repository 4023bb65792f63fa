"""The operations of checkpoints, as ``tests.api.operations`` lists all."""

from graph.tenancy.access.models import Scope

_CHECKPOINT = '{threadId: "t", checkpointId: "1", state: "", stateType: "x"}'
_WRITES = (
    '{threadId: "t", checkpointId: "1", taskId: "1", '
    'writes: [{position: 0, channel: "c", value: "", valueType: "x"}]}'
)
CHECKPOINTS: dict[str, tuple[Scope | None, str]] = {
    "Query.checkpoint": (Scope.READ, '{ checkpoint(threadId: "none") { checkpointId } }'),
    "Query.checkpoints": (Scope.READ, "{ checkpoints { edges { node { checkpointId } } } }"),
    "Mutation.saveCheckpoint": (Scope.WRITE, f"mutation {{ saveCheckpoint(input: {_CHECKPOINT}) }}"),
    "Mutation.saveCheckpointWrites": (
        Scope.WRITE,
        f"mutation {{ saveCheckpointWrites(input: {_WRITES}) }}",
    ),
    "Mutation.deleteThread": (Scope.WRITE, 'mutation { deleteThread(threadId: "none") }'),
}
NAMING_OF_CHECKPOINTS = {
    "Query.checkpoint": (
        'query($ws: ID) { checkpoint(threadId: "none", workspaceId: $ws) { checkpointId } }'
    ),
    "Query.checkpoints": (
        "query($ws: ID) { checkpoints(workspaceId: $ws) { edges { node { checkpointId } } } }"
    ),
    "Mutation.saveCheckpoint": (
        f"mutation($ws: ID) {{ saveCheckpoint(input: {_CHECKPOINT}, workspaceId: $ws) }}"
    ),
    "Mutation.saveCheckpointWrites": (
        f"mutation($ws: ID) {{ saveCheckpointWrites(input: {_WRITES}, workspaceId: $ws) }}"
    ),
    "Mutation.deleteThread": ('mutation($ws: ID) { deleteThread(threadId: "none", workspaceId: $ws) }'),
}
