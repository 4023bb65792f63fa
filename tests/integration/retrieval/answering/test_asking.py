"""Answers from memories, entities, relations and documents, with an audit of every run (E11-E13)."""

import hashlib
import json
import threading
from datetime import UTC, datetime

import pytest

from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.ontology.models import EntityDraft, EntityFilter, RelationDraft
from graph.memories.models import MemoryDraft
from graph.retrieval.answering import facts
from graph.retrieval.answering.models import CitationKind, RunOutcome
from graph.retrieval.answering.service import Answering
from graph.retrieval.answering.writing import NOTHING
from tests.fixtures.jobs import jobs_done
from tests.fixtures.memories import MovingClock, SameModel, ScriptedModel

KEPT_BY_THE_AUDIT = {
    "id", "workspace_id", "question_hash", "api_key_id", "model", "outcome", "node_ids", "prompt_tokens",
    "answer_tokens", "credits", "fallback", "duration_ms", "created_at", "user_id", "agent_id",
}  # fmt: skip

# A chunk keeps an excerpt of half its text (E10), and only quotable text supports an answer.
GUIDE = "The payments database listens on port 5432. Whoever wants to know more asks the people who run it."


@pytest.fixture
def asking_with(services):
    """Return a function that builds the service with a given language model."""

    def with_(language_model: ScriptedModel | None = None, clock: MovingClock | None = None) -> Answering:
        return Answering(
            services.core.database,
            services.vectors.embeddings,
            services.retrieval.recall,
            services.retrieval.search,
            services.retrieval.entities,
            services.knowledge.ontology,
            clock or MovingClock(),
            language_models=SameModel(language_model),
        )

    return with_


@pytest.fixture
async def ids(services, workspace_id) -> dict[str, str]:
    """Create a workspace's services, memory and document; return their ids by name."""
    entities = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [
            EntityDraft(type="Service", name="checkout", aliases=("cart",)),
            EntityDraft(type="Service", name="payments", description="takes money from cards"),
        ],
    )
    checkout, payments = (entity.id for entity in entities)
    (relation,) = await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=checkout, to_name=payments, type="DEPENDS_ON")]
    )
    saved = await services.memories.store.save(
        workspace_id,
        MemoryDraft(content="The quarterly report is late. Ada prefers tabs over spaces.", speaker="Bob"),
    )
    await services.knowledge.documents.add(workspace_id, DocumentDraft(key="guide", content=GUIDE))
    return {
        "checkout": checkout,
        "payments": payments,
        "relation": relation.id,
        "memory": saved.memory.id,
    }


def written(*statements: tuple[str, list[int]]) -> str:
    return json.dumps({"statements": [{"text": text, "sources": sources} for text, sources in statements]})


async def test_a_relation_answers_as_a_sentence_with_both_its_ends(asking_with, workspace_id, ids) -> None:
    """E11, E12: quoted, without a language model."""
    answer = await asking_with().ask(workspace_id, "What does checkout depend on?")

    assert answer.supported
    assert answer.text.startswith("checkout depends on payments. [1]")
    (first, *_) = answer.citations
    assert (first.number, first.fact.kind, first.fact.id) == (1, CitationKind.RELATION, ids["relation"])
    assert first.fact.node_ids == (ids["checkout"], ids["payments"])
    assert (answer.model, answer.fallback) == (None, None)


async def test_a_superseded_fact_is_marked_and_follows_its_successor(
    services, asking_with, workspace_id
) -> None:
    """C30, E12: after its successor; an answer about the present omits it."""
    drafts = [
        MemoryDraft(content="Deployments run on Mondays.", dedup=False),
        MemoryDraft(content="Deployments run on Thursdays.", dedup=False),
    ]
    old, new = [receipt.memory.id for receipt in await services.memories.store.save_all(workspace_id, drafts)]
    await services.memories.associations.associate(
        workspace_id, from_id=old, to_id=new, type_="INVALIDATED_BY"
    )

    days = await asking_with().ask(workspace_id, "When do deployments run?")
    everything = await asking_with().ask(workspace_id, "What do you know about me?")

    assert [(cited.fact.id, cited.fact.validity) for cited in days.citations] == [
        (new, None),
        (old, f"superseded by {new}"),
    ]
    assert [cited.fact.id for cited in everything.citations if cited.fact.id in {old, new}] == [new]


async def test_a_question_for_a_slot_is_answered_by_its_value_in_any_words(
    services, asking_with, workspace_id
) -> None:
    """36: "took a job" tells for whom somebody works; other people's states answer nothing."""
    texts = ["The user took a job with Qantas.", "The user's boyfriend works at Bosch.", "用户现居大连"]
    await services.memories.store.save_all(workspace_id, [MemoryDraft(content=text) for text in texts])

    async def answered(question: str) -> str | None:
        answer = await asking_with().ask(workspace_id, question)
        return answer.text if answer.supported else None

    assert await answered("Which airline do I work for?") == "The user took a job with Qantas. [1]"
    assert await answered("我目前住在哪里") == "用户现居大连 [1]"
    assert await answered("What is my phone number?") is None


async def test_an_ended_fact_is_cited_with_its_end(services, asking_with, workspace_id) -> None:
    """C11, E12: it answers questions about the past as ended; an answer about the present omits it."""
    ended = MemoryDraft(
        content="Grace worked at the harbour office.", t_invalid=datetime(2021, 1, 1, tzinfo=UTC), dedup=False
    )
    holds = MemoryDraft(content="Grace plays the cello.", dedup=False)
    await services.memories.store.save_all(workspace_id, [ended, holds])

    past = await asking_with().ask(workspace_id, "Where did Grace work?")
    everything = await asking_with().ask(workspace_id, "What do you know about me?")

    assert past.text == "Grace worked at the harbour office. (held until 2021-01-01) [1]"
    assert everything.text == "Grace plays the cello. [1]"


async def test_every_kind_of_source_is_cited_by_its_node(services, asking_with, workspace_id, ids) -> None:
    """E11: a citation has the id of its source."""
    ask = asking_with().ask

    memory = (await ask(workspace_id, "Does Ada prefer tabs or spaces?")).citations[0].fact
    entity = (await ask(workspace_id, "Who takes money from cards?")).citations[0].fact
    chunk = (await ask(workspace_id, "Which port does the payments database listen on?")).citations[0].fact

    assert (memory.kind, memory.id, memory.node_ids) == (
        CitationKind.MEMORY,
        ids["memory"],
        (ids["memory"],),
    )
    assert "Ada prefers tabs over spaces." in memory.text
    assert (entity.kind, entity.id) == (CitationKind.ENTITY, ids["payments"])
    assert chunk.kind is CitationKind.CHUNK
    assert chunk.text.startswith("The payments database listens on port 5432.")
    found = await services.knowledge.traversal.find(workspace_id, [memory.id, entity.id, chunk.id])
    assert set(found) == {memory.id, entity.id, chunk.id}


@pytest.mark.parametrize("title", [None, "ledger-api"])
async def test_a_runbook_answers_a_question_about_steps(services, asking_with, workspace_id, title) -> None:
    """E11, E12; issue 36, point 3: the heading or the title names the purpose of the steps."""
    heading = "Rolling back" if title else "Rolling back ledger-api"
    content = f"# {heading}\n\n1. Tell #bridge.\n2. Run `ship back`.\n3. Wait until it is green."
    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": True})
    await services.knowledge.documents.add(
        workspace_id,
        DocumentDraft(key="rollback", title=title, media_type="text/markdown", content=content),
    )
    ask = asking_with().ask

    answer = await ask(workspace_id, "How do I roll back ledger-api?")
    command = await ask(workspace_id, "Which command rolls back the ledger-api service?")
    another = await ask(workspace_id, "How do I roll back invoice-api?")

    assert "2. Run `ship back`." in answer.text
    assert "2. Run `ship back`." in command.text
    assert answer.citations[0].fact.kind is CitationKind.CHUNK
    assert (another.supported, another.text) == (False, NOTHING)


@pytest.mark.parametrize("model", [None, ScriptedModel(written(("Mercury boils.", [1])))])
async def test_an_unrelated_question_gets_no_supported_answer(asking_with, workspace_id, ids, model) -> None:
    """E12: nothing supports an answer, so no language model is called; the audit contains the run."""
    asking = asking_with(model)

    answer = await asking.ask(workspace_id, "Why is mercury liquid below zero degrees?")

    assert (answer.supported, answer.text, list(answer.citations)) == (False, NOTHING, [])
    assert model is None or model.prompts == []
    (run,) = (await asking.runs(workspace_id)).items
    assert (run.outcome, run.node_ids, run.model, run.credits) == (RunOutcome.UNSUPPORTED, [], None, 0.0)


async def test_a_language_model_answers_from_the_facts_with_citations(asking_with, workspace_id, ids) -> None:
    """E12, E13: it can cite only the given sources; the run counts the tokens of prompt and answer."""
    model = ScriptedModel(written(("Checkout needs payments.", [1, 77]), ("It is also pink.", [78])))
    asking = asking_with(model)

    answer = await asking.ask(workspace_id, "What does checkout depend on?", api_key_id="key_x")

    assert answer.text == "Checkout needs payments. [1]"
    (citation,) = answer.citations
    assert citation.fact.id == ids["relation"]
    assert (answer.supported, answer.model, answer.fallback) == (True, "scripted", None)
    (prompt,) = model.prompts
    assert json.loads(prompt)["sources"][0]["text"] == "checkout depends on payments."
    (run,) = (await asking.runs(workspace_id)).items
    assert (run.id, run.model, run.outcome, run.api_key_id) == (
        answer.run_id, "scripted", RunOutcome.ANSWERED, "key_x",
    )  # fmt: skip
    assert run.node_ids == [ids["checkout"], ids["payments"]]
    assert run.prompt_tokens > len(prompt) // 4
    assert run.answer_tokens > 0
    assert run.credits == (run.prompt_tokens + run.answer_tokens) / 1000


async def test_a_language_model_may_find_that_nothing_supports_an_answer(
    asking_with, workspace_id, ids
) -> None:
    """E12."""
    answer = await asking_with(ScriptedModel(written())).ask(workspace_id, "What does checkout depend on?")

    assert (answer.supported, answer.text, answer.fallback) == (False, NOTHING, None)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (None, "the language model failed"),
        ("no JSON", "the language model failed"),
        (written(("Invented.", [99])), "no source supports what the model wrote"),
    ],
)
async def test_if_the_language_model_fails_the_facts_answer_with_a_notice(
    asking_with, workspace_id, ids, said, reason
) -> None:
    """E12, E13: the tokens of the prompt are counted anyway."""
    asking = asking_with(ScriptedModel(said))

    answer = await asking.ask(workspace_id, "What does checkout depend on?")

    assert answer.text.startswith("checkout depends on payments. [1]")
    assert answer.model is None
    assert answer.fallback == f"quoted facts: {reason}"
    (run,) = (await asking.runs(workspace_id)).items
    assert (run.model, run.fallback) == ("scripted", answer.fallback)
    assert run.prompt_tokens > 0


async def test_without_an_embedder_words_alone_answer_with_a_notice(
    services, asking_with, workspace_id, ids, embedder, monkeypatch
) -> None:
    """B15, E12."""
    monkeypatch.setattr(embedder, "failure", "the embedder is away")

    answer = await asking_with().ask(workspace_id, "What does cart depend upon?")
    unrelated = await asking_with().ask(workspace_id, "Why is mercury liquid below zero degrees?")

    assert answer.text.startswith("checkout depends on payments. [1]")
    assert "the embedder is away" in answer.fallback
    assert unrelated.supported is False


async def test_deleted_records_support_nothing(services, asking_with, workspace_id, ids) -> None:
    """E9: neither the entity nor its relations."""
    await services.knowledge.ontology.delete(workspace_id, ids["payments"])

    answer = await asking_with().ask(workspace_id, "What does checkout depend on?")

    assert ids["payments"] not in {id_ for each in answer.citations for id_ in each.fact.node_ids}
    assert "payments" not in answer.text


async def test_a_name_alone_answers_nothing(services, asking_with, workspace_id) -> None:
    """E12: linking may create an entity from a name, but "Sven (thing)" answers nothing."""
    text = "Nurse Petra is away until August; Sven covers for her."
    await services.memories.store.save(workspace_id, MemoryDraft(content=text))
    await jobs_done(services, workspace_id)
    page = await services.knowledge.ontology.page(workspace_id, EntityFilter(), first=10, after=None)
    assert "Sven" in {entity.name for entity in page.items}

    answer = await asking_with().ask(workspace_id, "Who is Sven?")

    assert CitationKind.ENTITY not in {each.fact.kind for each in answer.citations}


async def test_another_workspace_neither_answers_nor_sees_the_runs(
    asking_with, workspace_id, other_workspace_id, ids
) -> None:
    """E15, N12."""
    asking = asking_with()
    await asking.ask(workspace_id, "What does checkout depend on?")

    answer = await asking.ask(other_workspace_id, "What does checkout depend on?")

    assert answer.supported is False
    (run,) = (await asking.runs(other_workspace_id)).items
    assert run.id == answer.run_id


async def test_the_audit_does_not_contain_the_question(asking_with, services, workspace_id, ids) -> None:
    """E13, E10: it has only a hash, which differs between workspaces."""
    question = "What  does\ncheckout depend on?"
    asking = asking_with()
    await asking.ask(workspace_id, question)

    (run,) = (await asking.runs(workspace_id)).items

    text = f"{workspace_id}\nWhat does checkout depend on?"
    assert run.question_hash == hashlib.sha256(text.encode()).hexdigest()
    assert set(run.model_dump()) == KEPT_BY_THE_AUDIT
    assert "depend" not in run.model_dump_json()


async def test_the_audit_comes_page_by_page_the_newest_first(asking_with, workspace_id) -> None:
    """E13: each run once, even with equal times."""
    clock = MovingClock()
    asking = asking_with(clock=clock)
    asked = []
    for number in range(5):
        clock.move(seconds=number // 2)
        asked.append((await asking.ask(workspace_id, f"question {number}?")).run_id)

    seen, after = [], None
    while True:
        page = await asking.runs(workspace_id, first=2, after=after)
        seen += page.items
        if not page.has_more:
            break
        after = page.cursors[-1].encode()

    assert sorted(run.id for run in seen) == sorted(asked)
    assert seen == sorted(seen, key=lambda run: (run.created_at, run.id), reverse=True)


async def test_the_audit_is_deleted_with_its_workspace(
    services, asking_with, graph_driver, workspace_id
) -> None:
    """E13."""
    asking = asking_with()
    await asking.ask(workspace_id, "anything?")

    await services.tenancy.workspaces.delete(workspace_id, hard=True)

    assert (await asking.runs(workspace_id)).items == []


@pytest.mark.parametrize("question", ["What do you know about me?", "你都知道我些什么？"])
async def test_a_question_about_the_asker_returns_the_newest_memories(
    services, workspace_id, asking_with, question
) -> None:
    """E11: even without common words or meaning; an assistant's statements are omitted."""
    for content, speaker in (
        ("I live in Lisbon. It rains a lot there.", "user"),
        ("You could visit Porto.", "assistant"),
        ("I am allergic to peanuts.", "user"),
    ):
        await services.memories.store.save(workspace_id, MemoryDraft(content=content, speaker=speaker))

    answer = await asking_with().ask(workspace_id, question)

    assert answer.supported
    assert answer.text == "I am allergic to peanuts. [1] I live in Lisbon. It rains a lot there. [2]"


@pytest.mark.parametrize("assistant", ["assistant", "Assistant"])
async def test_many_turns_of_an_assistant_do_not_hide_facts(
    services, workspace_id, asking_with, assistant
) -> None:
    """E11: the answer contains the fact after any number of assistant turns, and so does the injection."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="I live in Lisbon.", speaker="user"))
    turns = [MemoryDraft(content=f"Take tram {number}.", speaker=assistant) for number in range(20)]
    await services.memories.store.save_all(workspace_id, turns)
    note = MemoryDraft(content="Tram 28 is closed.", speaker=assistant, tags=("pinned",))
    await services.memories.store.save(workspace_id, note)

    answer = await asking_with().ask(workspace_id, "What do you know about me?")
    given = await services.retrieval.injection.for_turn(workspace_id, "What do you know about me?")

    assert answer.text == "I live in Lisbon. [1]"
    assert [hit.memory.content for hit in given.hits] == ["Tram 28 is closed.", "I live in Lisbon."]


@pytest.mark.parametrize("question", ["What do you know about me?", "Which tram is closed?"])
async def test_passages_are_split_in_a_thread(
    services, workspace_id, asking_with, monkeypatch, question
) -> None:
    """E11: long texts would block other requests."""
    threads: list[threading.Thread] = []

    def cut(text: str) -> list[str]:
        threads.append(threading.current_thread())
        return sentences(text)

    sentences = facts.sentences
    monkeypatch.setattr(facts, "sentences", cut)
    await services.memories.store.save(workspace_id, MemoryDraft(content="Tram 28 is closed."))

    answer = await asking_with().ask(workspace_id, question)

    assert answer.text == "Tram 28 is closed. [1]"
    assert len(threads) == 1
    assert threading.main_thread() not in threads


async def test_a_question_about_an_unknown_asker_says_that_nothing_is_known(
    asking_with, workspace_id
) -> None:
    """E11."""
    answer = await asking_with().ask(workspace_id, "What do you know about me?")

    assert (answer.text, answer.supported) == (NOTHING, False)
