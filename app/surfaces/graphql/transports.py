"""Which operations go over which transport."""

from collections.abc import Iterator

from strawberry.extensions import SchemaExtension
from strawberry.types.graphql import OperationType

_BY_REQUEST = frozenset({OperationType.QUERY, OperationType.MUTATION})
_BY_WEBSOCKET = frozenset({OperationType.SUBSCRIPTION})


class OneTransportEach(SchemaExtension):
    """Refuses subscriptions by request, and everything else by websocket.

    So what holds for requests (statuses, limits, when to try again) is said in one place.
    """

    def on_operation(self) -> Iterator[None]:
        """Narrow down what is allowed."""
        execution = self.execution_context
        is_websocket = getattr(execution.context, "websocket", None) is not None
        admitted = _BY_WEBSOCKET if is_websocket else _BY_REQUEST
        execution.allowed_operations = admitted & set(execution.allowed_operations)
        yield
