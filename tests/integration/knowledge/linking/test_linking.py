"""Links from saved memories to the entities they mention, on the real server (D39, E1, E10)."""

import asyncio

import pytest

from graph.core import queries as jobs
from graph.knowledge.linking.models import LinkingSource
from graph.knowledge.linking.naming import links_of, named_in
from graph.knowledge.ontology.models import Entity, EntityDraft, EntityFilter, EntityTypeDraft
from graph.memories.models import MemoryChange, MemoryDraft, MemoryState
from graph.tenancy.models import Workspace
from tests.fixtures.states import reached
from tests.fixtures.waiting import until


async def entities_of(services, workspace_id) -> list[Entity]:
    page = await services.knowledge.ontology.page(workspace_id, EntityFilter(), first=100)
    return list(page.items)


async def names_of(services, workspace_id) -> list[tuple[str, str]]:
    found = await entities_of(services, workspace_id)
    return sorted((entity.type, entity.name) for entity in found)


async def test_a_saved_memory_is_linked_by_name_by_alias_and_by_rule(
    services, workspace_id, remember, edges
) -> None:
    """D39, E1: known names come first; rules create the rest; state and ``enriched`` change."""
    await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [
            EntityDraft(type="Software", name="Kubernetes", aliases=("K8s",)),
            EntityDraft(type="Company", name="Acme Corp"),
        ],
    )

    memory = await remember("We run ACME CORP's shop on k8s, see deploy/values.yaml by Ada Lovelace")

    assert (memory.enriched, memory.failure) == (True, None)
    assert await edges(memory.id) == [
        ("Acme Corp", "name", "ACME CORP"),
        ("Ada Lovelace", "rule", "Ada Lovelace"),
        ("Kubernetes", "alias", "k8s"),
        ("deploy/values.yaml", "rule", "deploy/values.yaml"),
    ]
    assert await names_of(services, workspace_id) == [
        ("Company", "Acme Corp"),
        ("File", "deploy/values.yaml"),
        ("Person", "Ada Lovelace"),
        ("Software", "Kubernetes"),
    ]


async def test_an_entity_created_by_linking_is_found_again(services, workspace_id, remember, edges) -> None:
    """The second memory links to the first one's node, even if the name's case differs."""
    await remember("The talk was given by Ada Lovelace")

    second = await remember("ada lovelace asked for the slides")

    assert await edges(second.id) == [("Ada Lovelace", "name", "ada lovelace")]
    assert await names_of(services, workspace_id) == [("Person", "Ada Lovelace")]


async def test_people_with_the_same_first_name_stay_apart(services, workspace_id, remember, edges) -> None:
    """Issue 36, point 6: unless somebody wrote the shorter name."""
    await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Grace")]
    )
    await remember("The talk was given by Tom")

    memories = [
        await remember(f"The slides are by {name}") for name in ("Tom Hardy", "Tom Becker", "Grace Hopper")
    ]

    assert [await edges(memory.id) for memory in memories] == [
        [("Tom Hardy", "rule", "Tom Hardy")],
        [("Tom Becker", "rule", "Tom Becker")],
        [("Grace", "name", "Grace")],
    ]


async def test_a_first_name_means_the_only_person_who_has_it(services, workspace_id, remember, edges) -> None:
    """Issue 36, point 6: of two people with it, neither."""
    for name in ("Lena Fischer", "Omar Haddad", "Omar Aziz", "Mara Voss"):
        await remember(f"I met {name} for lunch")

    memories = [
        await remember(text)
        for text in ("I met Lena for lunch", "My sister Lena paid", "Omar called me", "I wrote to Mara")
    ]

    assert [await edges(memory.id) for memory in memories] == [
        [("Lena Fischer", "rule", "Lena")],
        [("Lena Fischer", "rule", "Lena")],
        [("Omar", "rule", "Omar")],
        [("Mara Voss", "rule", "Mara")],
    ]


async def test_a_written_first_name_stays_a_person_of_its_own(
    services, workspace_id, other_workspace_id, remember, edges
) -> None:
    """Issue 36, point 6: and neither a place nor a person of another workspace has a first name here."""
    ontology = services.knowledge.ontology
    drafts = [EntityDraft(type="Person", name=name) for name in ("Grace", "Grace Hopper", "Ada Lovelace")]
    await ontology.upsert_entities(workspace_id, [*drafts, EntityDraft(type="Place", name="Mara Valley")])
    await ontology.upsert_entities(other_workspace_id, [EntityDraft(type="Person", name="Omar Haddad")])

    memories = [
        await remember(text)
        for text in ("I met Grace for lunch", "I met Ada for lunch", "I wrote to Mara", "Omar called me")
    ]

    assert [await edges(memory.id) for memory in memories] == [
        [("Grace", "name", "Grace")],
        [("Ada Lovelace", "rule", "Ada")],
        [("Mara", "rule", "Mara")],
        [("Omar", "rule", "Omar")],
    ]


async def test_a_first_name_beside_the_whole_name_means_the_same_person(
    services, workspace_id, remember, edges
) -> None:
    """Issue 36, point 6: in one text."""
    memory = await remember("Lena Fischer leads the team. I met Lena for lunch.")

    assert [name for name, _, _ in await edges(memory.id)] == ["Lena Fischer"]
    assert await names_of(services, workspace_id) == [("Person", "Lena Fischer")]


async def test_an_entity_survives_a_deleted_connection_while_a_memory_mentions_it(
    services, workspace_id, remember, edges
) -> None:
    """E9, D39: a memory keeps its mention; an entity without mentions is deleted."""
    kept = await remember("The talk was given by Ada Lovelace")
    gone = await remember("The slides are by Grace Hopper")
    names = ("Ada Lovelace", "Grace Hopper", "Alan Turing")
    await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Thing", name=name, connection_id="crm") for name in names]
    )
    later = await remember("Alan Turing answered")
    await services.memories.deletion.delete(workspace_id, gone.id, hard=True)

    assert await services.knowledge.connections.delete(workspace_id, "crm") == 2

    assert await names_of(services, workspace_id) == [("Thing", "Ada Lovelace")]
    assert await edges(kept.id) == [("Ada Lovelace", "rule", "Ada Lovelace")]
    assert await edges(later.id) == []


@pytest.mark.parametrize(
    "content",
    [
        "The user prefers tabs over spaces. It was decided on Monday, 5 May 2025, for $20 million.",
        "OMG THIS IS SO GREAT AND I LOVE IT",
        "Remember to call them tomorrow at 5 pm and write to ada@example.com",
    ],
)
async def test_common_words_create_no_entity(services, workspace_id, remember, edges, content) -> None:
    """The issue's "no junk nodes": pronouns, the user, weekdays, dates, amounts, text in capitals."""
    memory = await remember(content)

    assert await edges(memory.id) == []
    assert await names_of(services, workspace_id) == []


async def test_names_are_bounded_by_words_and_the_longer_one_counts(
    services, workspace_id, remember, edges
) -> None:
    drafts = [EntityDraft(type="Place", name=name) for name in ("New York", "Oslo", "IT")]
    await services.knowledge.ontology.upsert_entities(
        workspace_id, [*drafts, EntityDraft(type="Paper", name="New York Times")]
    )

    memory = await remember("the new york times says that it is in (oslo), not in oslofjord")

    assert await edges(memory.id) == [("New York Times", "name", "new york times"), ("Oslo", "name", "oslo")]


async def test_a_changed_text_is_linked_again(services, workspace_id, remember, edges) -> None:
    """Automatic edges of the old text are removed, and the state starts again."""
    memory = await remember("I met Ada Lovelace in Oslo")

    changed = await services.memories.store.update(
        workspace_id, memory.id, MemoryChange(content="I met Grace Hopper in Oslo")
    )
    assert (changed.enriched, changed.state) == (False, MemoryState.STORED)
    found = await reached(services, workspace_id, [memory.id], MemoryState.LINKED)

    assert found[memory.id].enriched
    assert await edges(memory.id) == [("Grace Hopper", "rule", "Grace Hopper"), ("Oslo", "rule", "Oslo")]


async def test_a_change_without_a_new_text_keeps_the_links(services, workspace_id, remember, edges) -> None:
    memory = await remember("I met Ada Lovelace yesterday")

    changed = await services.memories.store.update(workspace_id, memory.id, MemoryChange(importance=0.9))

    assert (changed.enriched, changed.state) == (True, MemoryState.LINKED)
    assert await edges(memory.id) == [("Ada Lovelace", "rule", "Ada Lovelace")]


async def test_linking_twice_changes_nothing(services, workspace_id, remember, edges) -> None:
    """After a worker dies right after its write, the next one repeats the work (D41)."""
    memory = await remember("I met Ada Lovelace and refactored `load_config` in app/main.py")
    before = await edges(memory.id)
    (job,) = await _claimed(services, workspace_id, memory.id)

    await asyncio.gather(
        services.knowledge.linking.run_jobs([job]), services.knowledge.linking.run_jobs([job])
    )

    assert await edges(memory.id) == before
    assert len(await names_of(services, workspace_id)) == 3


async def test_a_merged_duplicate_leads_to_the_other_entity(services, workspace_id, remember, edges) -> None:
    """Linking follows merges: by the moved alias, and if a rule creates the duplicate's key again."""
    one, other = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [EntityDraft(type="Company", name="Acme"), EntityDraft(type="Company", name="Acme Limited")],
    )
    await services.knowledge.merging.merge(workspace_id, from_id=other.id, into_id=one.id)

    memory = await remember("the invoice of Acme Limited is due")

    assert await edges(memory.id) == [("Acme", "alias", "Acme Limited")]


async def test_a_mention_of_the_target_survives_the_undo_of_a_merge(
    services, workspace_id, remember, edges
) -> None:
    """Mentions of the current text count; earlier mentions of the duplicate return to it, relinked or not."""
    one, other = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [EntityDraft(type="Company", name="Acme"), EntityDraft(type="Company", name="Initech")],
    )
    kept = await remember("the invoice of Initech is due")
    changed = await remember("the rent of Initech is due")
    merge = await services.knowledge.merging.merge(workspace_id, from_id=other.id, into_id=one.id)
    await services.memories.store.update(
        workspace_id, changed.id, MemoryChange(content="the rent of Acme is due")
    )
    await reached(services, workspace_id, [changed.id], MemoryState.LINKED)
    await services.knowledge.linking.run_jobs(await _claimed(services, workspace_id, kept.id))

    await services.knowledge.merging.undo(workspace_id, merge.id)

    assert await edges(changed.id) == [("Acme", "name", "Acme")]
    assert await edges(kept.id) == [("Initech", "name", "Initech")]


async def test_linking_does_not_recreate_a_deleted_entity(services, workspace_id, remember, edges) -> None:
    """E9: a manually deleted node stays hidden, however often a text uses its name."""
    first = await remember("I met Ada Lovelace today")
    page = await services.knowledge.ontology.page(workspace_id, EntityFilter())
    await services.knowledge.ontology.delete(workspace_id, page.items[0].id)

    second = await remember("I met Ada Lovelace again, in the morning")

    assert await edges(second.id) == []
    assert await names_of(services, workspace_id) == []
    assert first.id != second.id


async def test_a_hard_deleted_memory_leaves_no_edge(services, workspace_id, remember, edges) -> None:
    """E4: no edge dangles; the entity stays for other memories."""
    memory = await remember("I met Ada Lovelace")
    await services.memories.deletion.delete(workspace_id, memory.id, hard=True)

    assert await edges(memory.id) == []
    assert await services.memories.store.find(workspace_id, memory.id) is None


async def test_links_stay_inside_the_workspace(services, workspace_id, remember, edges) -> None:
    """E15: a name that only another workspace knows links to nothing here."""
    other: Workspace = await services.tenancy.workspaces.create("another", memory_enabled=True)
    await services.knowledge.ontology.upsert_entities(other.id, [EntityDraft(type="City", name="oslo")])

    memory = await remember("we went to oslo")

    assert await edges(memory.id) == []


async def test_a_strict_registry_gets_no_new_types(services, workspace_id, remember, edges) -> None:
    """Linking creates only entities of known types."""
    await services.knowledge.ontology.types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="File")])
    await services.tenancy.workspaces.update(workspace_id, settings={"ontologyStrict": True})

    memory = await remember("I met Ada Lovelace over src/app/main.py")

    assert await edges(memory.id) == [("src/app/main.py", "rule", "src/app/main.py")]


async def test_a_secret_becomes_no_node(services, workspace_id) -> None:
    """I16: recognising identifiers must not copy a credential into a name."""
    from graph.knowledge.linking.models import Recognised  # noqa: PLC0415
    from graph.knowledge.linking.service import EntityMaker  # noqa: PLC0415

    class Detector:
        def kinds_in(self, text: str) -> list[str]:
            return ["token"] if "sk_live" in text else []

    maker = EntityMaker(
        services.knowledge.ontology.types, services.knowledge.linking._clock, secrets=Detector()
    )
    drafts = maker._drafts([Recognised(0, 1, "CodeSymbol", "sk_live_abc"), Recognised(0, 1, "Thing", "Oslo")])

    assert [draft.name for draft in drafts] == ["Oslo"]


async def test_a_batch_of_memories_is_linked_together(services, workspace_id) -> None:
    """Many turns with the same names create each entity once."""
    drafts = [
        MemoryDraft(content=f"On day {n} I met Ada Lovelace and Grace Hopper", source_conversation_id="c")
        for n in range(70)
    ]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    ids = [receipt.memory.id for receipt in receipts]

    async def all_are_linked() -> bool:
        found = await services.memories.store.find_all(workspace_id, ids)
        return {memory.state for memory in found.values()} == {MemoryState.LINKED}

    await until(all_are_linked)
    assert await names_of(services, workspace_id) == [("Person", "Ada Lovelace"), ("Person", "Grace Hopper")]


async def _claimed(services, workspace_id, memory_id) -> list:
    return [
        jobs.ClaimJobsRow(
            id="job_x",
            workspace_id=workspace_id,
            subject_id=memory_id,
            revision=1,
            attempts=1,
            waits=0,
            created_at=services.knowledge.linking._clock.now(),
        )
    ]


async def test_an_entity_of_linking_takes_the_type_that_somebody_gives_it(
    services, workspace_id, other_workspace_id, remember, edges
) -> None:
    """Issue 36, point 6: by name, with a custom key, and from a connection; its mentions stay."""
    memory = await remember("We compared Zorvex, Quandrel and Vintrop")
    things = {entity.name: entity.id for entity in await entities_of(services, workspace_id)}
    drafts = [
        EntityDraft(type="Person", name="zorvex"),
        EntityDraft(type="Software", name="Quandrel", key="app-1", aliases=("QD",)),
        EntityDraft(type="Company", name="Vintrop", connection_id="crm"),
    ]

    typed = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    again = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    elsewhere = await services.knowledge.ontology.upsert_entities(other_workspace_id, drafts[:1])

    assert [entity.id for entity in typed] == [things["Zorvex"], things["Quandrel"], things["Vintrop"]]
    assert [entity.id for entity in again] == [entity.id for entity in typed]
    assert elsewhere[0].id != typed[0].id
    assert [entity.key for entity in typed] == ["Person:zorvex", "app-1", "Company:vintrop"]
    assert await names_of(services, workspace_id) == [
        ("Company", "Vintrop"),
        ("Person", "zorvex"),
        ("Software", "Quandrel"),
    ]
    assert [name for name, _, _ in await edges(memory.id)] == ["Quandrel", "Vintrop", "zorvex"]


async def test_an_upserted_entity_keeps_its_type_beside_another_with_its_name(services, workspace_id) -> None:
    """Issue 36, point 6: a planet is not a service; a deleted entity does not return with another type."""
    upsert = services.knowledge.ontology.upsert_entities
    (planet,) = await upsert(workspace_id, [EntityDraft(type="Thing", name="Mercury")])

    (service,) = await upsert(workspace_id, [EntityDraft(type="Service", name="Mercury")])

    assert service.id != planet.id
    assert await names_of(services, workspace_id) == [("Service", "Mercury"), ("Thing", "Mercury")]


async def test_a_type_is_set_on_the_entity_that_linkings_was_merged_into(
    services, workspace_id, remember
) -> None:
    """Issue 36, point 6: an upsert with the duplicate's name and a type keeps a manual merge."""
    await remember("We compared it with Zorvex")
    (thing,) = await entities_of(services, workspace_id)
    (person,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Zora Vexley")]
    )
    await services.knowledge.merging.merge(workspace_id, from_id=thing.id, into_id=person.id)

    (written,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Zorvex")]
    )

    assert (written.id, written.name, written.aliases) == (person.id, "Zora Vexley", ("Zorvex",))


async def test_a_later_text_classifies_an_unclassified_entity(
    services, workspace_id, remember, edges
) -> None:
    """Issue 36, point 6: there is one node, which the title in the second text makes a person."""
    await remember("We compared it with Zorvex")

    second = await remember("We asked Dr. Zorvex again")

    assert await names_of(services, workspace_id) == [("Person", "Zorvex")]
    assert await edges(second.id) == [("Zorvex", "name", "Zorvex")]


async def test_an_acronym_in_brackets_is_an_alias(services, workspace_id, remember, edges) -> None:
    """Issue 36, point 6: later mentions and searches of the acronym find the same entity."""
    await remember("She works for International Business Machines (IBM) in Oslo")

    later = await remember("The laptop is from IBM")
    found = await services.retrieval.entities.search_entities(workspace_id, "ibm")

    assert await edges(later.id) == [("International Business Machines", "alias", "IBM")]
    assert await names_of(services, workspace_id) == [
        ("Organization", "International Business Machines"),
        ("Place", "Oslo"),
    ]
    assert (found.hits[0].entity.name, found.hits[0].why[0]) == (
        "International Business Machines",
        'named "ibm"',
    )


@pytest.mark.parametrize("name", ["IBM", "International Business Machines"])
async def test_an_acronym_becomes_an_alias_of_the_entity_with_its_name(
    services, workspace_id, remember, edges, name
) -> None:
    """Issue 36, point 6: a manually written entity keeps its name and type."""
    (company,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name=name, aliases=("Big Blue",))]
    )

    memory = await remember("She works for International Business Machines (IBM)")

    (known,) = await entities_of(services, workspace_id)
    other = {"IBM", "International Business Machines"} - {name}
    assert (known.id, known.type, known.name) == (company.id, "Company", name)
    assert known.aliases == ("Big Blue", *other)
    assert [entity for entity, _, _ in await edges(memory.id)] == [name]


async def test_an_entity_upserted_during_linking_is_not_created_twice(
    services, workspace_id, other_workspace_id, remember
) -> None:
    """Issue 36, point 6: even with a key and a type that linking does not know."""
    memory = await remember("nothing yet")
    source = LinkingSource(
        workspace_id=workspace_id, id=memory.id, version=memory.version, content="We compared it with Zorvex"
    )
    for workspace in (workspace_id, other_workspace_id):
        await services.knowledge.ontology.upsert_entities(
            workspace, [EntityDraft(type="Software", name="Zorvex", key="app-1")]
        )

    await services.knowledge.linking._write(workspace_id, links_of(named_in([source]), []))

    assert await names_of(services, workspace_id) == [("Software", "Zorvex")]


async def test_a_text_deleted_before_linking_leaves_no_entity(services, workspace_id, remember) -> None:
    """Issue 15, point 7: its name would be a word of the erased text."""
    memory = await remember("nothing yet")
    source = LinkingSource(
        workspace_id=workspace_id, id=memory.id, version=memory.version, content="We compared it with Zorvex"
    )
    links = links_of(named_in([source]), [])
    await services.memories.deletion.delete(workspace_id, memory.id, hard=True)

    await services.knowledge.linking._write(workspace_id, links)

    assert await names_of(services, workspace_id) == []
