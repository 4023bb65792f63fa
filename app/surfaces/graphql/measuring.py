"""Measures the size of a query in one pass over its document, before validation.

Measures each fragment once, however often it is spread, so the time is linear in the document's length. Accepts invalid
documents: unknown names count as empty, and validation refuses them later.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    Undefined,
    VariableNode,
    get_introspection_query,
    get_named_type,
    get_nullable_type,
    get_operation_ast,
    introspection_types,
    is_abstract_type,
    is_composite_type,
    is_list_type,
    parse,
    value_from_ast_untyped,
)

_SIZES = ("first", "limit")
_UNSIZED = 10  # assumed length of a list without a size
_LONGEST = (
    1000  # maximum of every list; a field refuses a larger size itself, with an error that names its limit
)
_ASK_ABOUT_SCHEMA: Final = ("__schema", "__type")
_EVERY_TYPE: Final = ("__Schema", "types")


@dataclass(frozen=True)
class MeasuredQuery:
    """Size of a document.

    Attributes:
        depth: Nesting depth of the deepest operation, without introspection.
        aliases: Number of aliases in all operations.
        fields: Number of fields in all operations; a fragment's fields count at every spread.
        cost: Maximum number of objects in the response to the executed operation.
        schema_cost: Maximum number of schema objects in the response, by the actual length of the schema's lists.
    """

    depth: int
    aliases: int
    fields: int
    cost: int
    schema_cost: int


class SpreadInItself(Exception):
    """Raised if fragments spread each other in a cycle.

    Attributes:
        node: A spread that closes the cycle.
    """

    def __init__(self, node: FragmentSpreadNode) -> None:
        super().__init__(node.name.value)
        self.node = node


@dataclass(frozen=True)
class _Selected:
    """Measured selection set; its cost is ``fixed + inherited * length``.

    ``length`` is the length of the selected lists that are as long as those of the object around them. If a selection
    covers each type of the schema, lists have their mean length (``of_each_type``), otherwise the maximum.
    """

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    fixed: int = 0
    inherited: int = 0
    schema_cost: int = 0
    of_each_type: int = 0

    def __add__(self, other: "_Selected") -> "_Selected":
        return _Selected(
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.fields + other.fields,
            self.fixed + other.fixed,
            self.inherited + other.inherited,
            self.schema_cost + other.schema_cost,
            self.of_each_type + other.of_each_type,
        )

    def cost(self, length: int | None) -> int:
        return self.fixed + self.inherited * (_UNSIZED if length is None else length)


_NOTHING = _Selected()


def measured(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation_name: str | None,
    variables: Mapping[str, Any],
) -> MeasuredQuery:
    """Return the size of a document.

    The cost is the maximum number of objects in the response: each list multiplies everything below it by its length.
    Scalars cost nothing. The length of a list comes from the arguments ``first``, ``last``, ``limit`` or ``inputs`` of
    its field or of the parent's field, as for the edges of a connection; otherwise it counts as 10.

    Args:
        schema: Schema of the query, which need not be valid.
        document: Parsed query.
        operation_name: Operation to execute; None if there is only one.
        variables: Variables of the request, unvalidated.

    Raises:
        SpreadInItself: A fragment spreads itself, directly or through others.
    """
    return _Measure(schema, document, operation_name, variables).measured()


@cache
def whole_schema_cost(schema: GraphQLSchema) -> int:
    """Return the ``schema_cost`` of the complete introspection query that tools send."""
    query = get_introspection_query(
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
    )
    return measured(schema, parse(query), None, {}).schema_cost


class _Measure:
    """Measures one document."""

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        operation_name: str | None,
        variables: Mapping[str, Any],
    ) -> None:
        self._schema = schema
        self._operations = [
            node for node in document.definitions if isinstance(node, OperationDefinitionNode)
        ]
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._run = get_operation_ast(document, operation_name)
        self._variables = {**_defaults(self._run), **variables}
        self._spread: dict[str, _Selected] = {}

    def measured(self) -> MeasuredQuery:
        for name, fragment in _innermost_first(self._fragments):
            parent = self._schema.get_type(fragment.type_condition.name.value)
            self._spread[name] = self._all(parent, fragment.selection_set)
        total, run = _NOTHING, _NOTHING
        for operation in self._operations:
            root = self._schema.get_root_type(operation.operation)
            selected = self._all(root, operation.selection_set)
            total += selected
            run = selected if operation is self._run else run
        return MeasuredQuery(total.depth, total.aliases, total.fields, run.cost(None), run.schema_cost)

    def _all(self, parent: GraphQLNamedType | None, selections: SelectionSetNode) -> _Selected:
        total = _NOTHING
        for selection in selections.selections:
            total += self._one(parent, selection)
        return total

    def _one(self, parent: GraphQLNamedType | None, selection: object) -> _Selected:
        if isinstance(selection, FieldNode):
            return self._field(parent, selection)
        if isinstance(selection, FragmentSpreadNode):
            return self._spread.get(selection.name.value, _NOTHING)
        if isinstance(selection, InlineFragmentNode):
            condition = selection.type_condition
            narrowed = self._schema.get_type(condition.name.value) if condition else parent
            return self._all(narrowed, selection.selection_set)
        return _NOTHING

    def _field(self, parent: GraphQLNamedType | None, node: FieldNode) -> _Selected:
        name, aliases = node.name.value, 1 if node.alias else 0
        if node.selection_set is None:
            return _Selected(aliases=aliases, fields=1)
        field = self._schema.get_field(parent, name) if is_composite_type(parent) else None
        type_ = get_named_type(field.type) if field else None
        below = self._all(type_, node.selection_set)
        is_about_schema = name in _ASK_ABOUT_SCHEMA
        seen = _Selected(
            depth=0 if is_about_schema else 1 + below.depth,
            aliases=aliases + below.aliases,
            fields=1 + below.fields,
        )
        if field is None or not is_composite_type(type_):
            return seen
        if is_about_schema or parent.name in introspection_types:  # type: ignore[union-attr]
            return seen + self._descriptions((parent.name, name), below)  # type: ignore[union-attr]
        return seen + self._objects(field, node, below)

    def _descriptions(self, field: tuple[str, str], below: _Selected) -> _Selected:
        each = 1 + (below.of_each_type if field == _EVERY_TYPE else below.schema_cost)
        longest, mean = _lengths(self._schema).get(field, (1, 1))
        return _Selected(schema_cost=longest * each, of_each_type=mean * each)

    def _objects(self, field: GraphQLField, node: FieldNode, below: _Selected) -> _Selected:
        length = self._length(field, node)
        if not is_list_type(get_nullable_type(field.type)):
            return _Selected(fixed=1 + below.cost(length), schema_cost=below.schema_cost)
        each = 1 + below.cost(None)
        if length is None:
            return _Selected(inherited=each, schema_cost=below.schema_cost)
        return _Selected(fixed=length * each, schema_cost=below.schema_cost)

    def _length(self, field: GraphQLField, node: FieldNode) -> int | None:
        """Return the length of a field's lists by its arguments; None if they do not determine it."""
        arguments = {argument.name.value: argument.value for argument in node.arguments or ()}
        last = self._value(arguments["last"]) if "last" in arguments else None
        if last not in (None, Undefined):  # `last` overrides `first`, which has a default
            return _bounded(last)
        for name, argument in field.args.items():
            value = self._value(arguments[name]) if name in arguments else argument.default_value
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


def _defaults(operation: OperationDefinitionNode | None) -> dict[str, Any]:
    definitions = operation.variable_definitions if operation else None
    return {
        definition.variable.name.value: value_from_ast_untyped(definition.default_value)
        for definition in definitions or ()
        if definition.default_value is not None
    }


def _innermost_first(
    fragments: Mapping[str, FragmentDefinitionNode],
) -> Iterable[tuple[str, FragmentDefinitionNode]]:
    """Return fragments in an order in which each follows the fragments that it spreads.

    Iterative, because a chain of fragments may be as long as the document.

    Raises:
        SpreadInItself: The fragments form a cycle.
    """
    done: dict[str, FragmentDefinitionNode] = {}
    for first in fragments:
        if first in done:
            continue
        under_way = {first: _spreads(fragments[first].selection_set)}
        while under_way:
            name = next(reversed(under_way))
            spread = next(under_way[name], None)
            if spread is None:
                under_way.pop(name)
                done[name] = fragments[name]
                continue
            inner = spread.name.value
            if inner in under_way:
                raise SpreadInItself(spread)
            if inner in fragments and inner not in done:
                under_way[inner] = _spreads(fragments[inner].selection_set)
    return done.items()


def _spreads(selections: SelectionSetNode) -> Iterator[FragmentSpreadNode]:
    left = [selections]
    while left:
        for selection in left.pop().selections:
            if isinstance(selection, FragmentSpreadNode):
                yield selection
            elif (
                isinstance(selection, FieldNode | InlineFragmentNode) and selection.selection_set is not None
            ):
                left.append(selection.selection_set)


def _size_within(type_: Any, value: Any) -> int | None:
    """Return the page size of an input object, or its default; None if the input has no such field."""
    if not isinstance(type_, GraphQLInputObjectType):
        return None
    for name in _SIZES:
        if name in type_.fields:
            size = value.get(name) if isinstance(value, dict) else None
            return _bounded(type_.fields[name].default_value if size is None else size)
    return None


def _bounded(size: Any) -> int | None:
    """Return a page size within 0 to 1000; None for a value that is not a number, which the field refuses."""
    return max(0, min(size, _LONGEST)) if isinstance(size, int) else None


@cache
def _lengths(schema: GraphQLSchema) -> Mapping[tuple[str, str], tuple[int, int]]:
    """Return the maximum and mean lengths of the introspection lists, by type and field."""
    types = list(schema.type_map.values())
    arguments = [len(getattr(field, "args", ())) for type_ in types for field in _members(type_, "fields")]
    lists = {
        ("__Schema", "directives"): [len(schema.directives)],
        ("__Directive", "args"): [len(directive.args) for directive in schema.directives],
        ("__Type", "fields"): [len(_members(type_, "fields")) for type_ in types],
        ("__Type", "inputFields"): [len(_members(type_, "fields")) for type_ in types],
        ("__Type", "enumValues"): [len(_members(type_, "values")) for type_ in types],
        ("__Type", "interfaces"): [len(getattr(type_, "interfaces", ())) for type_ in types],
        ("__Type", "possibleTypes"): [
            len(schema.get_possible_types(type_)) for type_ in types if is_abstract_type(type_)
        ],
    }
    known = {field: (max(1, *lengths), _mean(lengths)) for field, lengths in lists.items()}
    return known | {
        _EVERY_TYPE: (len(types), len(types)),
        ("__Field", "args"): (_mean(arguments), _mean(arguments)),
    }


def _members(type_: GraphQLNamedType, kind: str) -> list[Any]:
    return list(getattr(type_, kind, {}).values())


def _mean(lengths: list[int]) -> int:
    return max(1, -(-sum(lengths) // max(1, len(lengths))))
