"""Entity search by name, words and meaning, within one workspace (E7, B27)."""

import pytest

from graph.core.errors import InvalidInput, NotFound
from graph.core.models import RecallTier
from graph.core.pages import Cursor
from graph.knowledge.ontology.models import EntityDraft, EntityFilter, EntityTypeDraft
from graph.memories.models import MemoryState
from graph.retrieval import entities
from tests.fixtures.waiting import until

DRAFTS = [
    EntityDraft(type="Service", name="Payments", aliases=("Pay API",), description="takes money from cards"),
    EntityDraft(type="Service", name="Ledger", description="keeps accounts of all money"),
    EntityDraft(type="Team", name="Crew Blue", description="owns the ledger and writes reports"),
    EntityDraft(type="City", name="東京", description="首都 of Japan"),
]


@pytest.fixture
async def embedded(services):
    """Return a function that creates entities and returns them once they are embedded."""

    async def write(workspace_id: str, drafts: list[EntityDraft]) -> list:
        written = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
        ids = [entity.id for entity in written]

        async def all_embedded() -> bool:
            found = await services.knowledge.ontology.find_all(workspace_id, ids)
            return all(entity.state is MemoryState.EMBEDDED for entity in found.values())

        await until(all_embedded)
        return written

    return write


def names(result) -> list[str]:
    return [hit.entity.name for hit in result.hits]


async def test_each_leg_finds_an_entity_alone(services, workspace_id, embedded) -> None:
    """E7, B27: by name, by words or by meaning alone; the hit states the reason."""
    await embedded(workspace_id, DRAFTS)
    search = services.retrieval.entities.search_entities

    by_alias = await search(workspace_id, "Who calls the pay  api's?", first=1)
    by_words = await search(workspace_id, "account", first=1)  # the words share only their stem
    by_meaning = await search(workspace_id, "首都 Japan of zzz", first=1)

    (hit,) = by_alias.hits
    assert (hit.entity.name, hit.why[0]) == ("Payments", 'named "pay api"')
    assert names(by_words) == ["Ledger"]
    assert by_words.hits[0].why[0] == "best match in words"
    assert by_words.hits[0].text_score > 0
    assert names(by_meaning) == ["東京"]
    assert "closest in meaning" in by_meaning.hits[0].why
    assert 0 < by_meaning.hits[0].vector_score <= 1
    assert by_alias.resolution.tier is RecallTier.VECTOR
    assert by_alias.resolution.fallback is None


async def test_an_entity_named_in_the_query_comes_first(services, workspace_id, embedded) -> None:
    await embedded(workspace_id, DRAFTS)

    found = await services.retrieval.entities.search_entities(
        workspace_id, "ledger reports of the blue crew money"
    )

    assert names(found)[0] == "Ledger"
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1


async def test_cjk_words_are_found_without_a_vector(services, workspace_id) -> None:
    """C26: as bigrams."""
    await services.knowledge.ontology.upsert_entities(workspace_id, DRAFTS)

    found = await services.retrieval.entities.search_entities(
        workspace_id, "日本の首都はどこですか", min_score=1.0
    )

    assert names(found) == ["東京"]


@pytest.mark.parametrize(
    "text",
    [
        "deploy(Payments)",
        "checkout-api/payments",
        "the payments-based flow",
        "问 Pay API 怎么了",
        "东西在東京吗",
        f"{' '.join(f'word{number}' for number in range(300))} and now payments",
        f"Payments first, then {' '.join(f'word{number}' for number in range(300))}",
        f"Payments {'，'.join(f'词语{number}' for number in range(300))}",
        f"{'，'.join(f'词语{number}' for number in range(300))}，再看東京",
    ],
    ids=lambda text: text[:20] + text[-20:],
)
async def test_a_name_is_recognised_anywhere_in_the_query(services, workspace_id, text) -> None:
    """E7: next to punctuation, in scripts without spaces, and at either end of a long text."""
    written = await services.knowledge.ontology.upsert_entities(workspace_id, DRAFTS)
    named = {entity.name: entity.id for entity in written}

    found = await services.retrieval.entities.named_in(workspace_id, text)

    assert list(found.ids) == [named["東京" if "東京" in text else "Payments"]]
    assert found.degraded == ()


async def test_without_vectors_words_find_entities_and_the_result_says_so(
    services, workspace_id, embedded, embedder, monkeypatch
) -> None:
    """B15, C10: the response names the fallback."""
    await embedded(workspace_id, DRAFTS)
    monkeypatch.setattr(embedder, "failure", "the model is away")

    found = await services.retrieval.entities.search_entities(workspace_id, "money away")

    assert set(names(found)) == {"Payments", "Ledger"}
    assert found.resolution.tier is RecallTier.KEYWORD
    assert "the model is away" in found.resolution.fallback


async def test_no_leg_finds_a_deleted_entity(services, workspace_id, embedded) -> None:
    """E9."""
    payments, *_ = await embedded(workspace_id, DRAFTS)
    await services.knowledge.ontology.delete(workspace_id, payments.id)

    for query in ("Payments", "cards", "takes money from cards"):
        found = await services.retrieval.entities.search_entities(workspace_id, query)
        assert "Payments" not in names(found)
    await services.knowledge.ontology.restore(workspace_id, payments.id)
    assert names(await services.retrieval.entities.search_entities(workspace_id, "Payments"))[0] == "Payments"


@pytest.mark.parametrize("most_compared", [5000, 0], ids=["all compared", "index with a wider net"])
async def test_a_filter_cuts_every_leg(services, workspace_id, embedded, monkeypatch, most_compared) -> None:
    """E7: by types with subtypes, names and connection, in both ways of comparison."""
    monkeypatch.setattr(entities, "_MOST_COMPARED_VECTORS", most_compared)
    await services.knowledge.ontology.types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="System"), EntityTypeDraft(name="Service", parent="System")]
    )
    drafts = [*DRAFTS, EntityDraft(type="Service", name="Mint", description="money", connection_id="crm")]
    await embedded(workspace_id, drafts)

    async def found(**fields) -> set[str]:
        result = await services.retrieval.entities.search_entities(
            workspace_id, "money ledger payments japan", filter_=EntityFilter(**fields)
        )
        assert result.resolution.exact is not bool(result.resolution.degraded)
        assert result.resolution.exact is (most_compared > 0 or not result.hits)
        return set(names(result))

    assert await found(types=("System",)) == {"Payments", "Ledger", "Mint"}
    assert await found(types=("City",)) == {"東京"}
    assert await found(name="pay") == {"Payments"}
    assert await found(connection_id="crm") == {"Mint"}
    assert await found(types=("Nothing",)) == set()


async def test_hits_by_meaning_alone_need_the_minimum_score(services, workspace_id, embedded) -> None:
    await embedded(workspace_id, DRAFTS)
    search = services.retrieval.entities.search_entities

    everything = await search(workspace_id, "money")
    strict = await search(workspace_id, "money", min_score=0.9)

    assert set(names(everything)) == {"Payments", "Ledger", "Crew Blue", "東京"}
    assert set(names(strict)) == {"Payments", "Ledger"}


async def test_another_workspace_is_never_searched(
    services, workspace_id, other_workspace_id, embedded
) -> None:
    """E15, C27: many nearer entities in another workspace do not displace the only one here."""
    crowd = [EntityDraft(type="Service", name=f"Payments {i}", description="money") for i in range(60)]
    await embedded(other_workspace_id, [DRAFTS[0], *crowd])
    await embedded(workspace_id, [EntityDraft(type="Team", name="Money crew")])

    found = await services.retrieval.entities.search_entities(workspace_id, "Payments money", first=5)

    assert names(found) == ["Money crew"]


async def test_pages_of_a_query_continue_each_other(services, workspace_id, embedded) -> None:
    drafts = [EntityDraft(type="Service", name=f"Pay {i}", description="money") for i in range(7)]
    await embedded(workspace_id, drafts)
    seen, after = [], None
    while True:
        page, _ = await services.retrieval.entities.page(
            workspace_id, "money", EntityFilter(), first=3, after=after
        )
        seen += [entity.name for entity in page.items]
        if not page.has_more:
            break
        after = page.cursors[-1].encode()

    assert sorted(seen) == [f"Pay {i}" for i in range(7)]


async def test_pages_of_any_size_have_the_same_order(services, workspace_id, embedded) -> None:
    """E7: words and meaning order these 80 entities differently, and each page fuses both."""
    drafts = [
        EntityDraft(
            type="Service",
            name=f"n{number}",
            description=" ".join(
                ["money"] * (number * 7 % 5) + ["market"] * (number * 3 % 4) + ["port"] * (number % 9)
            ),
        )
        for number in range(1, 81)
    ]
    await embedded(workspace_id, drafts)
    search = services.retrieval.entities.search_entities

    pages = [
        await search(workspace_id, "money market", first=10, offset=offset) for offset in range(0, 80, 10)
    ]

    whole = await search(workspace_id, "money market", first=80)
    assert [name for page in pages for name in names(page)] == names(whole)
    assert len(set(names(whole))) == 80


async def test_the_end_of_a_long_list_says_that_there_are_more(services, workspace_id) -> None:
    """Issue 35: a search ranks 200 by words and 200 by meaning, and pages list the best 200."""
    drafts = [EntityDraft(type="Service", name=f"Pay{number} money") for number in range(230)]
    await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    search = services.retrieval.entities

    async def page(offset: int, first: int) -> tuple[int, bool, list[str]]:
        after = Cursor(rank=offset, id="any").encode() if offset else None
        found, resolution = await search.page(workspace_id, "money", EntityFilter(), first=first, after=after)
        return len(found.items), found.has_more, _ends(resolution)

    assert await page(100, 50) == (50, True, [])
    assert await page(150, 50) == (50, False, ["list: only the best 200 are listed"])
    assert (await page(200, 50))[:2] == (0, False)
    whole = await search.search_entities(workspace_id, "money", first=200)
    beyond = await search.search_entities(workspace_id, "money", first=50, offset=190)
    assert (len(whole.hits), _ends(whole.resolution)) == (200, [])
    assert (len(beyond.hits), _ends(beyond.resolution)) == (
        10,
        ["list: only the best 200 candidates are ranked"],
    )


def _ends(resolution) -> list[str]:
    return [lack for lack in resolution.degraded if lack.startswith("list: ")]


@pytest.mark.parametrize(
    "query", ['"', "\\", '\\"', "a AND", "name_keys:x", "+-/()[]{}^~*?:", "'s", "x" * 300, "* OR *"]
)
async def test_any_query_text_is_valid_syntax(services, workspace_id, query) -> None:
    await services.knowledge.ontology.upsert_entities(workspace_id, DRAFTS[:1])

    found = await services.retrieval.entities.search_entities(workspace_id, query)

    assert found.resolution.degraded == ()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "x", "first": 0}, "first"),
        ({"query": "x", "first": 201}, "first"),
        ({"query": "x", "offset": -1}, "offset"),
        ({"query": "x", "min_score": 1.5}, "minScore"),
    ],
)
async def test_a_bad_search_is_refused(services, workspace_id, arguments, field) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.retrieval.entities.search_entities(workspace_id, **arguments)

    assert refused.value.field == field


async def test_equal_names_are_the_first_suggested_duplicates(
    services, workspace_id, other_workspace_id
) -> None:
    """Issue 36, point 6: with the same or no type; neighbours in meaning are not suggested."""
    upsert = services.knowledge.ontology.upsert_entities
    drafts = [
        EntityDraft(type="Person", name=name, key=f"p{number}")
        for number, name in enumerate(
            ["Maya Chen", "Maya", "Maya-Chen", "Mayan Cheng", "Leo Chen", "maya chen"]
        )
    ]
    one, first_name, hyphen, _, _, same = await upsert(workspace_id, drafts)
    (thing,) = await upsert(workspace_id, [EntityDraft(type="Thing", name="Maya Chen", key="thing")])
    await upsert(workspace_id, [EntityDraft(type="Project", name="Maya Chen", key="project")])
    (elsewhere,) = await upsert(other_workspace_id, drafts[:1])

    found = await services.retrieval.entities.alike(workspace_id, one.id)

    assert [entity.id for entity in found[:2]] in ([same.id, thing.id], [thing.id, same.id])
    assert [entity.id for entity in found[2:]] == [hyphen.id, first_name.id]
    pairs = await services.retrieval.entities.alike_pairs(workspace_id, of=one.id)
    assert [(pair.entity.id, pair.duplicate) for pair in pairs] == [(one.id, entity) for entity in found]
    assert await services.retrieval.entities.alike(other_workspace_id, elsewhere.id) == []
    with pytest.raises(NotFound):
        await services.retrieval.entities.alike(other_workspace_id, one.id)
