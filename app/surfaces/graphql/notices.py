"""Notices at the top of a response: the reason why a successful operation stored nothing."""

from typing import Any

from strawberry.extensions import SchemaExtension

from app.surfaces.graphql.context import Context


class Notices(SchemaExtension):
    """Puts the notices of a request's operations into ``extensions.notices``; absent where there are none."""

    def get_results(self) -> dict[str, Any]:
        """Return the notices for ``extensions``."""
        context = self.execution_context.context
        return {"notices": context.notices} if isinstance(context, Context) and context.notices else {}
