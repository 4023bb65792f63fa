"""The proof, from the text of each read query, that it shows a user nothing of another (issue 15, point 1).

A query must compare every node of a user-owned label with the scope, or with a user that the caller names;
exceptions are listed here with the reason why they reveal nothing.
"""

import re
from collections.abc import Mapping
from typing import Final

import pytest

from cypher import Statement, catalogue
from cypher.header import FOR_PEOPLE
from cypher.masking import mask
from tests.contract.each import for_each

_OWNED = (
    "Memory|Conversation|Message|Episode|ConversationSummary|AgentSequence|AgentAction|PromptRun|Distillation"
    "|AutomaticChange"
)
_NODE = re.compile(rf"\((?P<name>\w*):(?:\w+[|:&])*(?:{_OWNED})\b[^){{]*(?P<map>\{{[^}}]*\}})?")

_LOCKED = "of a conversation whose lock the caller has taken, as its owner"
_BY_JOBS = "run by a job, which then acts as the owner"
_NUMBERS = "numbers and ids only, for the workspace as a whole"
_OF_SCOPED = "ids that a scoped query has returned"
_NEXT_TO_SCOPED = "ids or vectors of what is beside a node that is within the scope"
FOLLOWED: Final[Mapping[str, str]] = {
    "compare_memories": _OF_SCOPED,
    "count_live_memories": _NUMBERS,
    "count_of_conversations": "of conversations that are within the scope",
    "count_of_user": "actions of the user's own runs",
    "count_runs": _NUMBERS,
    "count_what_moves": "how much there is of a conversation that is within the scope",
    "describe_memories": "for webhooks of the workspace, which are an administrator's",
    "find_actions": "tells which ids are taken",
    "find_captured": _LOCKED,
    "find_messages": "of a conversation that is within the scope",
    "find_near_memories": "whether a memory of that user has a successor",
    "find_same_texts": _LOCKED,
    "gather_candidates": _NEXT_TO_SCOPED,
    "gather_candidates_by_words": _NEXT_TO_SCOPED,
    "gather_candidates_exactly": _NEXT_TO_SCOPED,
    "search_memories_fast": "the memory of a passage, which is compared with the scope as ``memory``",
    "get_distillations": _BY_JOBS,
    "find_extraction": _BY_JOBS,
    "list_action_groups": _NUMBERS,
    "list_both_ends": "of a conversation that was read within the scope",
    "list_earlier_messages": _BY_JOBS,
    "list_forgotten_texts": _BY_JOBS,
    "list_gone_messages": _LOCKED,
    "list_messages": "of conversations that are within the scope",
    "list_messages_before": "of conversations that are within the scope",
    "list_old_messages": _LOCKED,
    "list_not_lasting": "whether a memory within the scope has a successor or is one",
    "list_older_neighbours": "whether a memory within the scope, or one of the same user, has a successor",
    "list_patterns_of_sequences": _OF_SCOPED,
    "list_shared_entities": _BY_JOBS,
    "list_target_types": "types that the workspace's patterns are filed under",
    "list_turns_around": "of turns of one owner, whose name is part of what holds them together",
    "list_untallied": _BY_JOBS,
    "sample_texts": "only the share of languages leaves the service",
}
READING = [
    statement
    for statement in catalogue().values()
    if statement.mode == "read" and statement.unscoped is None and statement.folder != FOR_PEOPLE
]


def unchecked_in(text: str) -> set[str]:
    """Return the variables of user-owned nodes that are compared with no user; unnamed ones are ``()``."""
    return {
        node["name"] or "()"
        for node in _NODE.finditer(text)
        if "user_id" not in (node["map"] or "") and not _is_compared(node["name"], text)
    }


def _is_compared(name: str, text: str) -> bool:
    compared = rf"\b{name}\.user_id\b.*(?:\$scope\.users|\$user_id|probe\.user_id)"
    return bool(name) and re.search(compared, text) is not None


@for_each(READING, lambda statement: statement.path)
def test_queries_compare_owned_nodes_with_the_scope(statement: Statement) -> None:
    unchecked = unchecked_in(mask(statement.text))

    assert bool(unchecked) == (statement.name in FOLLOWED), unchecked


def test_searches_by_meaning_filter_users_within_the_index() -> None:
    searching = {
        statement.name
        for statement in READING
        if "SEARCH " in mask(statement.text) and not statement.searches_by_user
    }

    assert searching == {"search_entities_by_meaning"}


@pytest.mark.parametrize(
    ("text", "unchecked"),
    [
        ("MATCH (memory:Memory {workspace_id: $workspace_id}) RETURN memory", {"memory"}),
        ("MATCH (:_mem:AgentAction {workspace_id: $workspace_id}) RETURN 1", {"()"}),
        ("MATCH (m:Memory {workspace_id: $w, user_id: $user_id}) RETURN m", set()),
        ("MATCH (m:Memory {workspace_id: $w}) WHERE m.user_id IN $scope.users RETURN m", set()),
        ("MATCH (m:Memory {workspace_id: $w}) WHERE n.user_id IN $scope.users RETURN m", {"m"}),
        ("MATCH (entity:Entity {workspace_id: $w}) RETURN entity", set()),
    ],
)
def test_a_missing_comparison_is_detected(text: str, unchecked: set[str]) -> None:
    assert unchecked_in(text) == unchecked
