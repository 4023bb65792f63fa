"""What an answer says at its top, whatever was selected: why an operation that succeeded has stored nothing."""

from typing import Any

from strawberry.extensions import SchemaExtension

from app.surfaces.graphql.context import Context


class Notices(SchemaExtension):
    """Puts the notices of a request's operations into ``extensions.notices``; absent where there are none."""

    def get_results(self) -> dict[str, Any]:
        """Return what goes into ``extensions``."""
        context = self.execution_context.context
        return {"notices": context.notices} if isinstance(context, Context) and context.notices else {}
