"""Profiles from a real graph: a user's current facts, in order, within a budget (issue 36, point 8)."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import Forbidden, InvalidInput
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryChange, MemoryDraft, MemoryState, MemoryType
from graph.memories.policy import SourceType
from graph.retrieval.context.models import ContextQuery, LayerName
from graph.retrieval.profile.models import Profile
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.states import reached
from tests.fixtures.waiting import until

JANUARY = datetime(2026, 1, 2, 9, tzinfo=UTC)
ENGLISH = (
    ("The user lives in Munich", {"timestamp": JANUARY - timedelta(days=300)}),
    ("The user moved to Berlin", {}),
    ("The user works at Acme as a nurse", {}),
    ("The user's email is ada@example.org", {}),
    ("The user's favourite tea is oolong", {"type": MemoryType.PREFERENCE, "importance": 0.4}),
    ("The user prefers short answers", {"type": MemoryType.PREFERENCE, "importance": 0.9}),
    ("The user asked to use metric units", {"tags": ("pinned",), "importance": 0.2}),
    ("The user is working on the Apollo project", {}),
    ("The user met Tom Baker for lunch", {}),
    ("The user broke a wrist", {}),
)
CHINESE = (
    ("用户住在北京", {"timestamp": JANUARY - timedelta(days=300)}),
    ("用户搬到了上海", {}),
    ("用户在腾讯工作", {}),
    ("用户喜欢喝绿茶", {"type": MemoryType.PREFERENCE}),
)


async def saved(services, workspace_id, facts, **owner) -> list[str]:
    drafts = [MemoryDraft(content=text, **{"timestamp": JANUARY} | owner | fields) for text, fields in facts]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    return [receipt.memory.id for receipt in receipts]


async def told(services, workspace_id, facts, **owner) -> list[str]:
    """Save facts; return their ids once they are linked and their slots are settled."""
    ids = await saved(services, workspace_id, facts, **owner)
    await reached(services, workspace_id, ids, MemoryState.LINKED)
    await settled(services, workspace_id)
    return ids


async def settled(services, workspace_id) -> None:
    async def is_settled() -> bool:
        page = await services.core.jobs.page(workspace_id)
        return not any(job.kind == "TIMELINE" for job in page.items)

    await until(is_settled)


async def profile(services, workspace_id, user_id="ada", **options) -> Profile:
    return await services.retrieval.profiles.get(workspace_id, user_id, **options)


WISHES = (
    ("I work at Bosch as a test engineer", {}),
    ("From now on always use metric units", {}),
    ("我喜欢简短的回答", {}),
)


async def test_a_profile_has_wishes_that_callers_save_without_a_type(services, workspace_id) -> None:
    """36.8: the type that the service assumes decides; nothing was extracted."""
    await told(services, workspace_id, WISHES, user_id="ada")

    assert sorted(lines(await profile(services, workspace_id))) == [
        "- Employer, role: I work at Bosch as a test engineer (2026-01-02)",
        "- Preference: From now on always use metric units (2026-01-02)",
        "- 偏好：我喜欢简短的回答 (2026-01-02)",
    ]


async def test_a_profile_has_current_slots_preferences_projects_and_people(services, workspace_id) -> None:
    ids = await told(services, workspace_id, ENGLISH, user_id="ada")

    found = await profile(services, workspace_id)

    assert found.text.splitlines() == [
        "User profile:",
        "- Home: The user moved to Berlin (2026-01-02)",
        "- Employer, role: The user works at Acme as a nurse (2026-01-02)",
        "- E-mail: The user's email is ada@example.org (2026-01-02)",
        "- Preference: The user asked to use metric units (2026-01-02)",
        "- Preference: The user prefers short answers (2026-01-02)",
        "- Preference: The user's favourite tea is oolong (2026-01-02)",
        "- Project: The user is working on the Apollo project (2026-01-02)",
        "- Person Tom Baker: The user met Tom Baker for lunch (2026-01-02)",
    ]
    assert [entry.memory_id for entry in found.entries] == [ids[place] for place in (1, 2, 3, 6, 5, 4, 7, 8)]
    assert {(entry.date, entry.source_type) for entry in found.entries} == {(JANUARY, "api")}
    assert (found.user_id, found.left_out, found.tokens) == ("ada", 0, -(-len(found.text) // 4))


async def test_a_chinese_profile_is_labelled_in_chinese(services, workspace_id) -> None:
    await told(services, workspace_id, CHINESE, user_id="li")

    found = await profile(services, workspace_id, "li")

    assert found.text.splitlines() == [
        "用户画像：",
        "- 住处：用户搬到了上海 (2026-01-02)",
        "- 工作单位：用户在腾讯工作 (2026-01-02)",
        "- 偏好：用户喜欢喝绿茶 (2026-01-02)",
    ]


async def test_a_profile_omits_ended_doubtful_and_other_users_facts(services, workspace_id) -> None:
    yesterday = JANUARY - timedelta(days=1)
    kept = ("The user prefers tea", {"type": MemoryType.PREFERENCE})
    extracted = {"type": MemoryType.PREFERENCE, "source_type": SourceType.EXTRACTED}
    await saved(
        services,
        workspace_id,
        [
            kept,
            ("The user likes fax machines", {**extracted, "confidence": 0.5}),
            ("The user likes rain", {**extracted, "speaker": "assistant"}),
            ("The user lives in Munich", {"t_invalid": JANUARY}),
            ("The user works at Acme", {"expires_at": JANUARY}),
            ("The user moved to Oslo", {"t_valid": datetime(2999, 1, 1, tzinfo=UTC)}),
            ("The user prefers coffee", {"type": MemoryType.PREFERENCE, "user_id": "bob"}),
            ("The user prefers water", {"type": MemoryType.PREFERENCE, "user_id": None}),
            ("The user used to work on Hermes", {"t_valid": yesterday, "t_invalid": JANUARY}),
        ],
        user_id="ada",
    )

    assert lines(await profile(services, workspace_id)) == ["- Preference: The user prefers tea (2026-01-02)"]
    assert lines(await profile(services, workspace_id, None)) == [
        "- Preference: The user prefers water (2026-01-02)"
    ]


async def test_a_partly_ended_fact_shows_its_current_part(services, workspace_id) -> None:
    older = {"timestamp": JANUARY - timedelta(days=300)}
    await told(
        services,
        workspace_id,
        [("I live in Munich. I work at Acme.", older), ("I moved to Berlin", {})],
        user_id="ada",
    )

    assert lines(await profile(services, workspace_id)) == [
        "- Home: I moved to Berlin (2026-01-02)",
        "- Employer: work at Acme (2025-03-08)",
    ]


async def test_a_project_that_is_over_is_not_current(services, workspace_id) -> None:
    older = {"timestamp": JANUARY - timedelta(days=300)}
    facts = [
        ("The user's current project is Apollo", older),
        ("Project Apollo has a budget of 4000 euros", older),
        ("The user's current project is Zephyr", {}),
    ]
    await told(services, workspace_id, facts, user_id="ada")

    assert lines(await profile(services, workspace_id)) == [
        "- Project: The user's current project is Zephyr (2026-01-02)"
    ]


async def test_the_newest_statement_of_a_value_counts(services, workspace_id) -> None:
    older = {"timestamp": JANUARY - timedelta(days=300)}
    facts = [("The user lives in Berlin", older), ("I am living in Berlin these days", {})]
    ids = await told(services, workspace_id, facts, user_id="ada")

    found = await profile(services, workspace_id)

    assert [entry.memory_id for entry in found.entries] == [ids[1]]


async def test_another_persons_home_is_not_the_users(services, workspace_id) -> None:
    facts = [("The user's sister Ana lives in Oslo", {}), ("The user lives in Rome", {})]
    await told(services, workspace_id, facts, user_id="ada")

    found = await profile(services, workspace_id)

    home, *others = found.entries
    assert (home.slots, home.text) == (("home",), "The user lives in Rome")
    assert [entry.slots for entry in others] == [()] * len(others)


async def test_a_truncated_profile_has_whole_facts_and_a_notice(services, workspace_id) -> None:
    await told(services, workspace_id, ENGLISH, user_id="ada")
    whole = await profile(services, workspace_id)

    cuts = [await profile(services, workspace_id, max_tokens=most) for most in (0, 8, 30, 60, whole.tokens)]

    assert [cut.tokens <= most for cut, most in zip(cuts, (0, 8, 30, 60, whole.tokens), strict=True)] == [
        True
    ] * 5
    assert [len(cut.entries) + cut.left_out for cut in cuts] == [len(whole.entries)] * 5
    assert (cuts[0].text, cuts[0].entries, cuts[-1]) == ("", (), whole)
    assert cuts[2].text.splitlines() == [
        "User profile:",
        "- Home: The user moved to Berlin (2026-01-02)",
        "(7 more left out)",
    ]


async def test_a_context_reports_a_truncated_profile(services, workspace_id) -> None:
    """Issue 35: with a code and a sentence."""
    await told(services, workspace_id, ENGLISH, user_id="ada")
    asked = ContextQuery(query="Xylophones", layers=frozenset({LayerName.PROFILE}))
    with seeing(ReadScope(user_id="ada")):
        whole = await services.retrieval.context.compose(workspace_id, asked)
        await services.tenancy.workspaces.update(workspace_id, settings={"maxTokens": 40})
        cut = await services.retrieval.context.compose(workspace_id, asked)

    assert (whole.skipped, whole.missing) == ([], {})
    assert len(cut.profile) < len(whole.profile)
    assert (cut.skipped[0].endswith("more left out"), cut.missing) == (True, {"profile": "cut"})


async def test_the_workspace_caps_the_budget(services, workspace_id) -> None:
    await told(services, workspace_id, ENGLISH, user_id="ada")
    await services.tenancy.workspaces.update(workspace_id, settings={"maxTokens": 30})

    assert (await profile(services, workspace_id, max_tokens=8000)).left_out == 7


async def test_an_unknown_user_has_an_empty_profile(services, workspace_id) -> None:
    assert await profile(services, workspace_id, "nobody") == Profile(user_id="nobody")
    with pytest.raises(InvalidInput, match="userId"):
        await profile(services, workspace_id, " ")


async def test_a_bound_key_reads_no_other_profile(services, workspace_id) -> None:
    facts = [
        ("The user prefers tea", {"type": MemoryType.PREFERENCE, "agent_id": "chef"}),
        ("The user prefers aisle seats", {"type": MemoryType.PREFERENCE, "agent_id": "travel"}),
        ("The user prefers metric units", {"type": MemoryType.PREFERENCE}),
    ]
    await told(services, workspace_id, facts, user_id="ada")

    with seeing(ReadScope(user_id="ada", agent_id="travel")):
        seen = await services.retrieval.profiles.get(workspace_id)
    with seeing(ReadScope(user_id="bob")), pytest.raises(Forbidden):
        await profile(services, workspace_id)

    assert sorted(entry.text for entry in seen.entries) == [
        "The user prefers aisle seats",
        "The user prefers metric units",
    ]


async def test_a_profile_uses_no_facts_of_another_workspace(services, workspace_id, fresh_workspaces) -> None:
    await told(services, workspace_id, ENGLISH, user_id="ada")
    async with fresh_workspaces.one() as other:
        assert await profile(services, other) == Profile(user_id="ada")


async def test_an_etag_changes_with_the_facts_alone(services, workspace_id) -> None:
    ids = await told(services, workspace_id, ENGLISH, user_id="ada")
    store, recall = services.memories.store, services.retrieval.recall
    first = await profile(services, workspace_id)

    await recall.recall(workspace_id, RecallQuery(query="Where does the user live?"))
    await services.core.jobs.run_due("test")
    await store.update(workspace_id, ids[9], MemoryChange(tags=("broken",)))
    same = await profile(services, workspace_id)
    await store.update(workspace_id, ids[5], MemoryChange(content="The user prefers long answers"))
    changed = await profile(services, workspace_id)

    assert (same, same.etag) == (first, first.etag)
    assert changed.etag != first.etag


async def test_an_erased_user_has_an_empty_profile(services, workspace_id) -> None:
    await told(services, workspace_id, ENGLISH, user_id="ada")
    await services.operations.erasure.begin(workspace_id, "ada")

    async def is_empty() -> bool:
        return await profile(services, workspace_id) == Profile(user_id="ada")

    assert await until(is_empty)


def lines(found: Profile) -> list[str]:
    return found.text.splitlines()[1:]
