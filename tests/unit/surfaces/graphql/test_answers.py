"""The serialisation of responses."""

from app.surfaces.graphql.controller import GraphQL


def test_responses_are_utf_8_json_with_large_numbers() -> None:
    view = GraphQL.__new__(GraphQL)

    assert view.encode_json({"text": "黄色", "large": 2**70, "tags": ("a", "b")}) == (
        '{"text":"黄色","large":1180591620717411303424,"tags":["a","b"]}'.encode()
    )
