"""Invalid fields of a memory: the error names the field and the expected form."""

import pytest

SAVE = (
    "mutation($input: SaveMemoryInput!, $ms: Int) { saveMemory(input: $input, timeoutMs: $ms) { outcome } }"
)
SAVE_ALL = """mutation($inputs: [SaveMemoryInput!]!, $ms: Int) {
  saveMemories(inputs: $inputs, timeoutMs: $ms) { outcome }
}"""
UPDATE = "mutation($id: ID!, $input: UpdateMemoryInput!) { updateMemory(id: $id, input: $input) { id } }"
LIST = """query($filter: MemoryFilter, $first: Int, $after: String) {
  memories(filter: $filter, first: $first, after: $after) { totalCount }
}"""
CLEAR = "mutation($input: ClearMemoriesInput!) { clearMemories(input: $input) }"
NUL = "must not hold NUL characters"
BLANK = "must not be blank; leave it out instead"
LONG = "must have at most 512 characters, got 513"
FRACTION = "must be a number between 0.0 and 1.0"
SHORT_TEXTS = ("category", "key", "speaker", "sourceConversationId", "sourceMessageId", "sessionId")

REFUSED = [
    *((name, bad, said) for name in SHORT_TEXTS for bad, said in ((" ", BLANK), ("x" * 513, LONG), ("\x00", NUL))),
    ("content", "", "must have at least 1 character after trimming"),
    ("content", "x" * 2001, "must have at most 2000 characters, got 2001"),
    ("id", "ü", "must be 1 to 128 letters, digits, '_', '.', ':' or '-'"),
    ("id", "x" * 129, "must be 1 to 128 letters, digits, '_', '.', ':' or '-'"),
    ("tags", ["x" * 201], "must have at most 200 characters, got 201"),
    ("tags", [f"{number}" for number in range(101)], "must have at most 100 entries, got 101"),
    ("tags", ["\x00"], NUL),
    ("keywords", ["x" * 201], "must have at most 200 characters, got 201"),
    ("keywords", [f"{number}" for number in range(101)], "must have at most 100 entries, got 101"),
    ("keywords", ["\x00"], NUL),
    ("importance", -0.1, FRACTION),
    ("importance", 1.1, FRACTION),
    ("confidence", -0.1, FRACTION),
    ("confidence", 1.1, FRACTION),
    ("metadata", [], None),
    ("metadata", 5, None),
    ("metadata", {"a": "x" * 65_536}, "must have at most 65536 characters as JSON"),
    ("embedding", [1.0], "must have 384 numbers, got 1"),
    ("embedding", [0.0] * 384, "must not be all zeros"),
]  # fmt: skip
# The schema itself refuses these: the sentence names the field.
MISTYPED = [
    ("content", 5),
    ("type", "Preference"),
    ("kind", "FACT"),
    ("facet", ""),
    ("tags", [None]),
    ("importance", "much"),
    ("timestamp", "yesterday"),
    ("tValid", 5),
    ("tInvalid", "2024-13-01T00:00:00Z"),
    ("expiresAt", ""),
    ("embedding", ["a"]),
    ("dedup", "no"),
    ("unknown", 1),
]
UPDATABLE = (
    "content",
    "category",
    "key",
    "tags",
    "keywords",
    "importance",
    "confidence",
    "metadata",
    "embedding",
)


@pytest.mark.parametrize(("field", "bad", "said"), REFUSED, ids=lambda value: repr(value)[:24])
async def test_a_field_out_of_range_is_named_with_the_form_expected(graphql, field, bad, said) -> None:
    """A3, A4, A12, A15, A18, B7: in a save, and in an update of an updatable field."""
    errors = [await graphql.error(SAVE, input={"content": "x", field: bad})]
    if field in UPDATABLE:
        saved = await graphql.ok('mutation { saveMemory(input: {content: "fine"}) { memory { id } } }')
        id_ = saved["saveMemory"]["memory"]["id"]
        errors.append(await graphql.error(UPDATE, id=id_, input={field: bad}))

    for error in errors:
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
        assert error["message"].startswith(field)
        assert said is None or error["message"] == f"{field} {said}"


@pytest.mark.parametrize(("field", "bad"), MISTYPED, ids=lambda value: repr(value)[:24])
async def test_a_type_error_names_the_field(graphql, field, bad) -> None:
    """A8, A11: each vocabulary accepts only its own words."""
    error = await graphql.error(SAVE, input={"content": "x", field: bad})

    assert error["code"] == "INVALID_INPUT"
    assert field in error["message"]


@pytest.mark.parametrize(
    "field", ["content", "type", "kind", "facet", "importance", "confidence", "timestamp"]
)
async def test_a_required_field_cannot_be_cleared(graphql, field) -> None:
    """A27."""
    saved = await graphql.ok('mutation { saveMemory(input: {content: "fine"}) { memory { id } } }')

    error = await graphql.error(UPDATE, id=saved["saveMemory"]["memory"]["id"], input={field: None})

    assert error == {
        "message": f"{field} must not be null; leave it out to keep it",
        "code": "INVALID_INPUT",
        "field": field,
    }


@pytest.mark.parametrize("field", ["createdAt", "id", "usageCount"])
async def test_fields_set_by_the_service_cannot_be_changed(graphql, field) -> None:
    """A29."""
    error = await graphql.error(UPDATE, id="mem_any", input={field: "2024-01-01T00:00:00Z"})

    assert error["code"] == "INVALID_INPUT"
    assert field in error["message"]


@pytest.mark.parametrize("ms", [-1, 10_001])
async def test_a_time_to_wait_out_of_range_stores_nothing(graphql, ms) -> None:
    for query, variables in (
        (SAVE, {"input": {"content": "x"}}),
        (SAVE_ALL, {"inputs": [{"content": "x"}]}),
    ):
        error = await graphql.error(query, ms=ms, **variables)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "timeoutMs")
    assert (await graphql.ok(LIST))["memories"]["totalCount"] == 0


@pytest.mark.parametrize(
    ("variables", "field"),
    [
        ({"first": 0}, "first"),
        ({"first": 201}, "first"),
        ({"after": "no cursor"}, "after"),
        ({"after": "\x00"}, "after"),
        ({"after": "e30"}, "after"),
        ({"filter": {"text": "\x00"}}, "text"),
        ({"filter": {"sessionId": "\x00"}}, "sessionId"),
        ({"filter": {"minImportance": 2}}, "minImportance"),
        ({"filter": {"minConfidence": -1}}, "minConfidence"),
    ],
    ids=repr,
)
async def test_a_list_that_breaks_a_rule_names_the_field(graphql, variables, field) -> None:
    """A12, K1."""
    error = await graphql.error(LIST, **variables)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)


async def test_a_credential_is_named_with_its_field(graphql) -> None:
    """A43."""
    for field, value in (("content", "AKIAIOSFODNN7EXAMPLE"), ("metadata", {"k": "AKIAIOSFODNN7EXAMPLE"})):
        error = await graphql.error(SAVE, input={"content": "x", field: value})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
        assert "AKIA" not in error["message"]


async def test_an_unknown_vocabulary_clears_nothing(graphql) -> None:
    """A41."""
    await graphql.ok(SAVE, input={"content": "x"})

    for wanted in ({"types": ["ALL"]}, {"olderThan": "soon"}, {"olderThan": "24"}, {"unknown": True}):
        assert (await graphql.error(CLEAR, input=wanted))["code"] == "INVALID_INPUT"
    assert (await graphql.ok(LIST))["memories"]["totalCount"] == 1
