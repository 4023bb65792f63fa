"""Plugin of ariadne-codegen: makes fields non-null that are null only if the client raises an error."""

from ariadne_codegen.plugins.base import Plugin
from graphql import GraphQLNonNull, GraphQLObjectType, GraphQLSchema

_DIRECTIVE = "semanticNonNull"


class SemanticNonNullPlugin(Plugin):  # type: ignore[misc]  # installed in an environment of its own
    """Treats ``@semanticNonNull`` fields as non-null, because the client raises on any error."""

    def process_schema(self, schema: GraphQLSchema) -> GraphQLSchema:
        """Return the schema with every field non-null that has the directive."""
        objects = [type_ for type_ in schema.type_map.values() if isinstance(type_, GraphQLObjectType)]
        for field in (field for type_ in objects for field in type_.fields.values()):
            marks = field.ast_node.directives if field.ast_node is not None else ()
            if any(mark.name.value == _DIRECTIVE for mark in marks or ()):
                field.type = GraphQLNonNull(field.type)
        return schema
