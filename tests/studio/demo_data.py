"""The workspace on the Studio's pictures: a team running services, and a person planning a move."""

from datetime import UTC, datetime, timedelta

from app.cli.demo.assistant import script
from graph.conversations.capture.models import CaptureDraft, MessageDraft, MessageRole
from graph.core.models import JobKind
from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.models import MemoryDraft, MemoryType, SourceType
from graph.operations.services import Services
from graph.telemetry.models import ActionDraft, Outcome
from tests.fixtures.waiting import until

PEOPLE = {
    "Ada Lindqvist": "Leads the platform team",
    "Bruno Maas": "Runs the on-call rotation",
    "Chen Yu": "Owns billing",
    "Dana Ortiz": "Designs the mobile app",
}
SERVICES = {
    "Atlas": "The gateway in front of all services",
    "Borealis": "Takes card payments",
    "Cassini": "Sends invoices and reminders",
    "Delphi": "Answers what customers ask",
    "Ember": "The queue between the services",
}
CLUSTERS = {
    "eu-production": "Where customers are served",
    "staging": "Rebuilt every Monday",
    "EU production": "Where customers in Europe are served",
}
RELATIONS = [
    ("Ada Lindqvist", "LEADS", "Atlas"),
    ("Bruno Maas", "MAINTAINS", "Ember"),
    ("Bruno Maas", "MAINTAINS", "Atlas"),
    ("Chen Yu", "MAINTAINS", "Borealis"),
    ("Chen Yu", "MAINTAINS", "Cassini"),
    ("Dana Ortiz", "WORKS_WITH", "Chen Yu"),
    ("Atlas", "DEPENDS_ON", "Ember"),
    ("Borealis", "DEPENDS_ON", "Ember"),
    ("Cassini", "DEPENDS_ON", "Borealis"),
    ("Delphi", "DEPENDS_ON", "Atlas"),
    ("Atlas", "RUNS_ON", "eu-production"),
    ("Borealis", "RUNS_ON", "eu-production"),
    ("Cassini", "RUNS_ON", "eu-production"),
    ("Delphi", "RUNS_ON", "staging"),
]
REMEMBERED = [
    (MemoryType.DECISION, "Releases of Atlas are cut on Thursdays at ten, never before a holiday", 0.9),
    (MemoryType.DECISION, "Borealis keeps card numbers for no longer than 24 hours", 0.95),
    (MemoryType.DECISION, "Cassini writes invoices in the currency of the order, not of the shop", 0.8),
    (MemoryType.DECISION, "Delphi moves to the production cluster once its answers are cited", 0.7),
    (MemoryType.PREFERENCE, "Ada Lindqvist prefers tabs over spaces in Python", 0.6),
    (MemoryType.PREFERENCE, "Chen Yu wants to be asked before an invoice is corrected by hand", 0.8),
    (MemoryType.PREFERENCE, "Dana Ortiz likes short reviews with one suggestion at a time", 0.5),
    (MemoryType.HABIT, "Bruno Maas looks at the queue of Ember first when something is slow", 0.6),
    (MemoryType.HABIT, "Dana Ortiz answers messages before noon", 0.4),
    (MemoryType.CONTEXT, "The staging cluster is rebuilt every Monday at six, so nothing on it lasts", 0.7),
    (MemoryType.CONTEXT, "Atlas and Borealis share one quota on eu-production", 0.7),
    (MemoryType.CONTEXT, "The team meets on Tuesdays and Fridays at half past nine", 0.4),
    (MemoryType.CONTEXT, "The planning meeting is on Monday", 0.5),
    (MemoryType.CONTEXT, "The planning meeting is on Thursday", 0.5),
    (MemoryType.INSIGHT, "Half of the slow answers of Delphi come from cold caches after a rebuild", 0.8),
    (MemoryType.INSIGHT, "Reminders sent by Cassini on Mondays are paid two days sooner", 0.7),
    (MemoryType.PATTERN, "A deploy of Borealis fails while Ember holds more than 50,000 messages", 0.9),
    (MemoryType.STYLE, "Postmortems begin with what customers noticed, and name no person", 0.6),
]
TAGS = {"Atlas": "service:atlas", "Borealis": "service:borealis", "Cassini": "service:cassini"}
RUNBOOK = """# Runbook of Borealis

## When payments are slow

Look at the queue of Ember first. More than 50,000 messages mean that a consumer is down: restart it.

## When a deploy fails with E_QUOTA

The quota of eu-production is shared with Atlas. The platform team raises it on request; ask before the deploy.
"""
SAID_OF_THE_RELEASE = [
    (
        MessageRole.USER,
        "I prefer that releases wait until **Bruno** is back. I decided to cut the next one on Thursday.",
    ),
    (
        MessageRole.ASSISTANT,
        "Thursday at ten, then:\n\n| service | version |\n|---|---|\n| Atlas | 4.2 |\n| Ember | 1.9 |",
    ),
    (MessageRole.USER, "I always read the changelog aloud to the team. Can you write it as a list?"),
    (MessageRole.ASSISTANT, "1. Faster routing in Atlas\n2. Ember keeps its order after a restart"),
]


WORKED = {JobKind.EMBED, JobKind.LINK, JobKind.EXTRACT}


async def remember_everything(services: Services, workspace_id: str) -> dict[str, str]:
    """Fill a workspace and wait for its vectors; return ids of its entities by name and of a ``memory``."""
    await services.tenancy.workspaces.update(
        workspace_id, memory_enabled=True, settings={"extractionWindowSeconds": 0}
    )
    ids = await _know(services, workspace_id)
    saved = await services.memories.store.save_all(workspace_id, _memories())
    for draft in _conversations():
        conversation = await services.conversations.capture.append(workspace_id, draft)
        await services.conversations.extraction.request(workspace_id, conversation.id)
    await services.telemetry.recorder.record(workspace_id, list(_actions(ids["Borealis"])))
    await services.telemetry.promoter.promote(workspace_id)
    await until(lambda: _is_quiet(services, workspace_id), seconds=120)
    (memory,) = [each.memory for each in saved if each.memory.content.startswith("A deploy of Borealis")]
    return {**ids, "memory": memory.id}


async def _know(services: Services, workspace_id: str) -> dict[str, str]:
    named = {"Person": PEOPLE, "Service": SERVICES, "Cluster": CLUSTERS}
    drafts = [
        EntityDraft(type=type_, name=name, description=description)
        for type_, things in named.items()
        for name, description in things.items()
    ]
    knowledge = services.knowledge
    ids = {each.name: each.id for each in await knowledge.ontology.upsert_entities(workspace_id, drafts)}
    await knowledge.ontology.upsert_relations(
        workspace_id,
        [
            RelationDraft(from_name=ids[one], to_name=ids[other], type=type_)
            for one, type_, other in RELATIONS
        ],
    )
    runbook = DocumentDraft(title="Runbook of Borealis", content=RUNBOOK, media_type="text/markdown")
    await knowledge.documents.add(workspace_id, runbook)
    return ids


def _memories() -> list[MemoryDraft]:
    sources = [SourceType.USER, SourceType.API, SourceType.MODEL]
    return [
        MemoryDraft(
            content=content,
            type=type_,
            importance=importance,
            source_type=sources[place % len(sources)],
            tags=[tag for name, tag in TAGS.items() if name in content],
        )
        for place, (type_, content, importance) in enumerate(REMEMBERED)
    ]


def _conversations() -> list[CaptureDraft]:
    began = datetime.now(UTC) - timedelta(days=2)
    talks = [
        (
            session["id"],
            session["title"],
            [(MessageRole(said["role"].lower()), said["content"]) for said in session["messages"]],
        )
        for session in script()["sessions"]
    ]
    talks.append(("release-4-2", "The next release", SAID_OF_THE_RELEASE))
    return [
        CaptureDraft(
            conversation_id=id_,
            title=title,
            platform="Claude",
            messages=[
                MessageDraft(
                    id=f"m{place}",
                    role=role,
                    content=content,
                    said_at=began + timedelta(hours=number, minutes=place),
                )
                for place, (role, content) in enumerate(said, start=1)
            ],
        )
        for number, (id_, title, said) in enumerate(talks)
    ]


def _actions(target_id: str) -> list[ActionDraft]:
    began = datetime.now(UTC) - timedelta(days=9)
    actions = []
    for run in range(1, 10):
        at = began + timedelta(days=run - 1)
        known = {"session_id": f"deploy-{run}", "node_type": "Service", "target_id": target_id}
        is_refused = run in {1, 2, 4, 5, 7, 9}
        tested = ActionDraft(
            action_type="run_tests", outcome=Outcome.SUCCESS, latency_ms=41_000, occurred_at=at, **known
        )
        deployed = ActionDraft(
            action_type="deploy",
            outcome=Outcome.ERROR if is_refused else Outcome.SUCCESS,
            error_code="E_QUOTA" if is_refused else None,
            latency_ms=900 if is_refused else 63_000,
            occurred_at=at + timedelta(minutes=1),
            **known,
        )
        actions += [tested, deployed]
    return actions


async def _is_quiet(services: Services, workspace_id: str) -> bool:
    jobs = await services.core.jobs.page(workspace_id)
    return not {job.kind for job in jobs.items} & WORKED
