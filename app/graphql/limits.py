"""How much one query may ask for: its cost, and whether it may ask about the schema."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    Undefined,
    VariableNode,
    get_named_type,
    get_nullable_type,
    get_operation_ast,
    is_composite_type,
    is_list_type,
    value_from_ast_untyped,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.extensions import SchemaExtension

TOO_COMPLEX: Final = "TOO_COMPLEX"
_SIZES = ("first", "limit")
_UNSIZED = 10  # what a list without a size is taken to hold
_LONGEST = (
    1000  # no list takes more: what is asked beyond is refused by its own field, which says what is allowed
)


@dataclass(frozen=True)
class GraphQLLimits:
    """What an operator allows a query beyond the limits that are the same everywhere.

    Attributes:
        max_cost: How many objects the answer to one query may hold at most.
        introspection: Whether queries may ask about the schema.
    """

    max_cost: int = 20_000
    introspection: bool = True


class LimitedCost(SchemaExtension):
    """Refuses a query that asks for too many objects, before it is executed; comes behind what validates it."""

    def on_operation(self) -> Iterator[None]:
        """Forbid introspection where it is switched off."""
        execution = self.execution_context
        if not execution.context.limits.introspection:
            execution.validation_rules = (*execution.validation_rules, NoSchemaIntrospectionCustomRule)
        yield

    def on_validate(self) -> Iterator[None]:
        """Measure a query that is valid."""
        execution = self.execution_context
        if not execution.pre_execution_errors and execution.graphql_document is not None:
            most = execution.context.limits.max_cost
            cost = cost_of(
                execution.schema._schema,  # noqa: SLF001 - Strawberry has no other way to the schema that validates
                execution.graphql_document,
                execution.operation_name,
                execution.variables or {},
            )
            if cost > most:
                execution.pre_execution_errors = [_too_costly(cost, most)]
        yield


def _too_costly(cost: int, most: int) -> GraphQLError:
    message = f"the query may return {cost} objects, {most} are allowed; ask for fewer with first or limit"
    return GraphQLError(
        message, extensions={"code": TOO_COMPLEX, "field": None, "cost": cost, "maxCost": most}
    )


def cost_of(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation_name: str | None,
    variables: Mapping[str, Any],
) -> int:
    """Return how many objects the answer may hold: lists count as often as they are long, and all below them too.

    A list is as long as ``first``, ``limit`` or the ``inputs`` of its field say, or of the field whose object holds
    it, as a connection its edges; else it is taken to hold 10. Texts and numbers cost nothing, nor does introspection.

    Args:
        schema: Against which the document is valid.
        document: The query.
        operation_name: Which of its operations; None where there is one.
        variables: As they were sent.
    """
    operation = get_operation_ast(document, operation_name)
    root = schema.get_root_type(operation.operation) if operation else None
    if operation is None or root is None:
        return 0  # executing it says so
    return _Measure(schema, document, operation, variables).selected(root, operation.selection_set, None)


class _Measure:
    """Measures one operation. A fragment is measured once for each length of list, however often it is spread."""

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        operation: OperationDefinitionNode,
        variables: Mapping[str, Any],
    ) -> None:
        self._schema = schema
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        defaults = {
            definition.variable.name.value: value_from_ast_untyped(definition.default_value)
            for definition in operation.variable_definitions or ()
            if definition.default_value is not None
        }
        self._variables = {**defaults, **variables}
        self._spread: dict[tuple[str, int | None], int] = {}

    def selected(self, parent: GraphQLNamedType, selections: SelectionSetNode, length: int | None) -> int:
        """Return the cost of what is selected of one object whose own lists are ``length`` long, if that is said."""
        cost = 0
        for selection in selections.selections:
            if isinstance(selection, FieldNode):
                cost += self._field(parent, selection, length)
            elif isinstance(selection, FragmentSpreadNode):
                cost += self._fragment(selection.name.value, length)
            elif isinstance(selection, InlineFragmentNode):
                condition = selection.type_condition
                narrowed = self._schema.type_map[condition.name.value] if condition else parent
                cost += self.selected(narrowed, selection.selection_set, length)
        return cost

    def _fragment(self, name: str, length: int | None) -> int:
        known = (name, length)
        if known not in self._spread:
            fragment = self._fragments[name]
            narrowed = self._schema.type_map[fragment.type_condition.name.value]
            self._spread[known] = self.selected(narrowed, fragment.selection_set, length)
        return self._spread[known]

    def _field(self, parent: GraphQLNamedType, node: FieldNode, length: int | None) -> int:
        field = getattr(parent, "fields", {}).get(node.name.value)
        if field is None or node.selection_set is None:
            return 0  # of introspection, or no object
        type_ = get_named_type(field.type)
        if not is_composite_type(type_):
            return 0
        asked = self._length(field, node)
        if not is_list_type(get_nullable_type(field.type)):
            return 1 + self.selected(type_, node.selection_set, asked)
        if asked is None:
            asked = _UNSIZED if length is None else length
        return asked * (1 + self.selected(type_, node.selection_set, None))

    def _length(self, field: GraphQLField, node: FieldNode) -> int | None:
        """Return how long a field's lists are, by its arguments; None where they do not say."""
        given = {argument.name.value: argument.value for argument in node.arguments or ()}
        for name, argument in field.args.items():
            value = self._value(given[name]) if name in given else argument.default_value
            if name in _SIZES:
                return _bounded(argument.default_value if value in (None, Undefined) else value)
            if name == "inputs" and isinstance(value, list):
                return _bounded(len(value))
            if name == "input":
                size = _size_within(get_nullable_type(argument.type), value)
                if size is not None:
                    return size
        return None

    def _value(self, node: Any) -> Any:
        if isinstance(node, VariableNode):
            return self._variables.get(node.name.value, Undefined)
        return value_from_ast_untyped(node, self._variables)


def _size_within(type_: Any, value: Any) -> int | None:
    """Return the size that an input object says, or has without saying; None where it has none."""
    if not isinstance(type_, GraphQLInputObjectType):
        return None
    for name in _SIZES:
        if name in type_.fields:
            said = value.get(name) if isinstance(value, dict) else None
            return _bounded(type_.fields[name].default_value if said is None else said)
    return None


def _bounded(size: Any) -> int | None:
    """Return a size as it may be; None for what is no number, which the field will refuse."""
    return max(0, min(size, _LONGEST)) if isinstance(size, int) else None
