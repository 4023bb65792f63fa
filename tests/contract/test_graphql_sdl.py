"""The GraphQL schema: equal to its committed snapshot, and compatible with ``contract.graphql``."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import (
    DirectiveDefinitionNode,
    DocumentNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    GraphQLInputObjectType,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    NonNullTypeNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    parse,
    print_ast,
    print_schema,
)

from app.surfaces.graphql.schema import _WORDS, schema, sdl

ROOT = Path(__file__).parents[2]
SNAPSHOT = ROOT / "app" / "surfaces" / "graphql" / "schema.graphql"
CONTRACT = ROOT / "tests" / "contract" / "contract.graphql"
FAILING_ALONE = {"Query", "Mutation"}
REFRESH = "recollect schema > app/surfaces/graphql/schema.graphql"

# Requirements A8 and A12, and the words of the contract and of C1-C3.
VOCABULARIES = {
    "MemoryType": "DECISION PATTERN PREFERENCE STYLE HABIT INSIGHT CONTEXT",
    "MemoryKind": "FACTUAL EPISODIC PROCEDURAL SEMANTIC",
    "MemoryFacet": "SKILL PREFERENCE OBJECTIVE CONTEXT",
    "MemoryState": "STORED EMBEDDED LINKED FAILED",
    "ImportanceBand": "CRITICAL IMPORTANT STANDARD MINOR LOW",
    "Scope": "READ WRITE ADMIN",
    "RecallStrategy": "EXACT SEMANTIC HYBRID FAST",
    "RecallTier": "KEYWORD VECTOR EXTERNAL",
    "TagMode": "ANY ALL",
    "Fusion": "MODEL RRF",
    "InjectionFormat": "SYSTEM_MESSAGE SYSTEM_PROMPT USER_SUFFIX",
    "SearchKind": "MEMORY ENTITY CHUNK ARTIFACT EPISODE",
    "JobState": "PENDING RUNNING FAILED DONE",
    "Outcome": "SUCCESS ERROR DEAD_END",
    "PatternState": "PROMOTED DEMOTED",
    "MetricAggregate": "COUNT RATE MEAN_LATENCY",
    "MemoryEventType": "SAVED UPDATED DELETED AUTO_SAVED",
    "MessageRole": "USER ASSISTANT SYSTEM TOOL",
    "CompactionMode": "TRUNCATE CONDENSE",
    "HandoffLanguage": "ENGLISH CHINESE",
    "Summariser": "RULES MODEL",
    "MirrorPhase": "PREPARING FILLING COMPLETE",
}

Definition = ObjectTypeDefinitionNode | InputObjectTypeDefinitionNode | EnumTypeDefinitionNode
Member = FieldDefinitionNode | InputValueDefinitionNode


def definitions(document: DocumentNode) -> dict[str, Definition]:
    return {
        node.name.value: node
        for node in document.definitions
        if isinstance(node, ObjectTypeDefinitionNode | InputObjectTypeDefinitionNode | EnumTypeDefinitionNode)
    }


CONTRACTED = definitions(parse(CONTRACT.read_text(encoding="utf-8")))
SERVED = definitions(parse(sdl()))


def members(definition: Definition) -> dict[str, Member]:
    if isinstance(definition, EnumTypeDefinitionNode):
        return {}
    return {member.name.value: member for member in definition.fields}


def arguments(member: Member) -> dict[str, InputValueDefinitionNode]:
    found = (member.arguments or ()) if isinstance(member, FieldDefinitionNode) else ()
    return {argument.name.value: argument for argument in found}


def form(member: Member) -> str:
    """Return type, nullability and default, treating an omitted default as null."""
    default = getattr(member, "default_value", None)
    shown = "" if default is None or print_ast(default) == "null" else f" = {print_ast(default)}"
    marks = [print_ast(mark) for mark in member.directives or () if mark.name.value != "deprecated"]
    return " ".join([print_ast(member.type) + shown, *marks])


def form_promised(place: str, member: Member) -> str:
    """Return the required form of a promise: a root field is semantically non-null, as it fails alone."""
    promised = form(member)
    is_root_field = isinstance(member, FieldDefinitionNode) and place.partition(".")[0] in FAILING_ALONE
    return f"{promised[:-1]} @semanticNonNull" if is_root_field and promised.endswith("!") else promised


def promises() -> Iterator[tuple[str, Member, Member | None]]:
    """Yield each field and argument that the contract promises for a served type, with the served one."""
    for name, definition in CONTRACTED.items():
        if name not in SERVED:
            continue
        served = members(SERVED[name])
        for field, promised in members(definition).items():
            yield f"{name}.{field}", promised, served.get(field)
            if (found := served.get(field)) is not None:
                for argument, expected in arguments(promised).items():
                    yield f"{name}.{field}({argument})", expected, arguments(found).get(argument)


def test_the_snapshot_is_the_schema() -> None:
    assert SNAPSHOT.read_text(encoding="utf-8") == sdl(), f"refresh it: {REFRESH}"


def test_the_served_schema_has_the_promised_form() -> None:
    differing = {
        name: (form_promised(name, promised), form(served))
        for name, promised, served in promises()
        if served is not None and form_promised(name, promised) != form(served)
    }

    assert differing == {}


def test_every_root_field_may_fail_alone_and_no_other_field_claims_to() -> None:
    """Issue 16: a failing root field keeps the data of the others."""
    fields = {name: members(definition).values() for name, definition in SERVED.items()}
    non_null = [
        field.name.value
        for root in FAILING_ALONE
        for field in fields[root]
        if isinstance(field.type, NonNullTypeNode)
    ]
    marked = {name for name, own in fields.items() if any("@semantic" in form(each) for each in own)}

    assert non_null == []
    assert marked == FAILING_ALONE


def test_the_directive_is_that_of_relay_and_apollo() -> None:
    definition = "directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION"

    assert definition in sdl()
    assert definition in print_schema(schema._schema)  # as introspection shows it


def test_nothing_promised_is_missing() -> None:
    """K1."""
    assert [name for name, _, served in promises() if served is None] == []
    assert CONTRACTED.keys() - SERVED.keys() == set()


def test_arguments_beyond_the_contract_are_optional() -> None:
    """A caller that knows only the contract can call everything."""
    demanded = []
    for name, definition in CONTRACTED.items():
        for field, served in members(SERVED[name]).items() if name in SERVED else ():
            promised = members(definition).get(field)
            if promised is None and isinstance(served, InputValueDefinitionNode):
                demanded += [f"{name}.{field}"] if is_required(served) else []
            elif promised is not None:
                added = arguments(served).keys() - arguments(promised).keys()
                demanded += [f"{name}.{field}({a})" for a in added if is_required(arguments(served)[a])]

    assert demanded == []


def is_required(value: InputValueDefinitionNode) -> bool:
    return print_ast(value.type).endswith("!") and value.default_value is None


@pytest.mark.parametrize(("name", "values"), VOCABULARIES.items())
def test_vocabularies_have_the_words_of_the_requirements(name: str, values: str) -> None:
    definition = SERVED[name]

    assert isinstance(definition, EnumTypeDefinitionNode)
    assert [value.name.value for value in definition.values] == values.split()


def test_everything_is_described() -> None:
    """Front-end developers read the schema: every type and every computed field needs a description."""
    document = parse(schema.as_str())
    bare = [
        node.name.value
        for node in document.definitions
        if not isinstance(node, DirectiveDefinitionNode | ScalarTypeDefinitionNode)
        and node.description is None
    ]
    operations = [
        field.name.value
        for root in ("Query", "Mutation", "Subscription")
        for field in definitions(document)[root].fields
        if field.description is None
    ]

    assert (bare, operations) == ([], [])


def described() -> Iterator[tuple[str, str, str, str | None]]:
    """Yield path, section, name and description of each field, argument and value."""
    for type_name, type_ in schema._schema.type_map.items():
        if type_name.startswith("__"):
            continue
        section = "inputs" if isinstance(type_, GraphQLInputObjectType) else "fields"
        for name, field in getattr(type_, "fields", {}).items():
            yield f"{type_name}.{name}", section, name, field.description
            for argument_name, argument in getattr(field, "args", {}).items():
                yield f"{type_name}.{name}.{argument_name}", "inputs", argument_name, argument.description
        for name, value in getattr(type_, "values", {}).items():
            yield f"{type_name}.{name}", "values", name, value.description


def test_every_field_argument_and_value_is_described() -> None:
    assert [place for place, _, _, description in described() if not description] == []


def test_every_shared_description_is_used() -> None:
    used = {place: description for place, _, _, description in described()}
    by_name = {(section, name, description) for _, section, name, description in described()}
    members = {**_WORDS["members"], **_WORDS["values"]}
    names = [
        (section, name, text) for section in ("fields", "inputs") for name, text in _WORDS[section].items()
    ]

    assert [place for place, text in members.items() if used.get(place) != text] == []
    assert [name for name in names if name not in by_name] == []


def test_fields_and_inputs_of_one_name_have_separate_descriptions() -> None:
    texts = {place: description for place, _, _, description in described()}

    assert sorted(_WORDS) == ["fields", "inputs", "members", "values"]
    assert texts["Memory.apiKeyId"] == "Owning API key; null: none."
    assert texts["ClearMemoriesInput.apiKeyId"] == "Only memories of this API key; omitted or null: all keys."
