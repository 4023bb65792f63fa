"""Rules of each transport: subscriptions need a websocket, whose operations share one connection."""

from collections.abc import Iterator

from strawberry.extensions import SchemaExtension
from strawberry.types.graphql import OperationType


class Transports(SchemaExtension):
    """Refuses subscriptions by request, and has each operation of a websocket begin with a context of its own."""

    def on_operation(self) -> Iterator[None]:
        """Restrict the operation types, or separate the operation from others of its connection."""
        execution = self.execution_context
        if execution.context.websocket is None:
            execution.allowed_operations = set(execution.allowed_operations) - {OperationType.SUBSCRIPTION}
        else:
            execution.context = execution.context.of_operation()
        yield
