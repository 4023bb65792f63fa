"""Own cases: words that callers gave, near duplicates, unasked memory for requests, and thirteen languages."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, SaveOutcome
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from tests.bench.engine import engine, servers, settle
from tests.bench.progress import Progress, say
from tests.bench.results import Table, against

Case = Mapping[str, Any]

_SETS = Path(__file__).with_name("sets")
_LANGUAGES = "en zh ja ko de fr es pt it ru ar hi th".split()
_FIRST = 5
_HITS = 20
_FOREIGN = "foreign facts"
_NONE_FITS = "no fact fits: one passes"
_ANOTHER = "a fact that does not fit passes"


class Cases:
    """Plays the cases of one half on the real services, each set in its own workspaces."""

    def __init__(self, services: Services, half: str) -> None:
        self._services = services
        self._half = half

    def of(self, path: str) -> list[Case]:
        """Return the entries of the half in a file of a set."""
        lines = (_SETS / f"{path}.jsonl").read_text(encoding="utf-8").splitlines()
        return [entry for entry in map(json.loads, lines) if entry["half"] == self._half]

    async def aliases(self, tables: Sequence[Table]) -> None:
        """Ask for memories by keywords, tags, acronyms, other spellings and one of several topics."""
        cases = self.of("aliases/cases")
        stored = [
            *(draft for case in cases for draft in case.get("memories") or [case["memory"]]),
            *({"content": text} for case in cases for text in case["foreign"]),
        ]
        workspace_id, ids = await self._saved("aliases", stored)
        rates = Rates()
        for case in cases:
            passing = await self._passing(workspace_id, case["query"])
            wanted = {ids[draft["content"]] for draft in case.get("memories") or [case["memory"]]}
            foreign = {ids[text] for text in case["foreign"]}
            rates.note(case["kind"], wanted <= passing, f"{case['id']}: {case['query']}")
            for each in foreign:
                rates.note("foreign memories", each in passing, f"{case['id']}: foreign")
        rates.into(tables, f"aliases {self._half}", least=0.9, most={"foreign memories": 0.05})

    async def requests(self, tables: Sequence[Table]) -> None:
        """Send a person's everyday requests, with a fitting preference among twenty or with none."""
        rates = Rates()
        cases = self.of("requests/cases")
        for person in self.of("requests/persons"):
            facts = [{"content": fact["text"]} for fact in person["facts"]]
            workspace_id, ids = await self._saved(person["id"], facts)
            by_name = {fact["id"]: ids[fact["text"]] for fact in person["facts"]}
            of = "strangers: " if person["id"].startswith("stranger") else ""
            for case in cases:
                if case["person"] != person["id"]:
                    continue
                passing = await self._passing(workspace_id, case["request"])
                told = f"{case['id']}: {case['request']}"
                fitting = {by_name[name] for name in (case["gold"], *case["also"]) if name is not None}
                for each in set(by_name.values()) - fitting:
                    rates.note(f"{of}{_FOREIGN}", each in passing, told)
                if case["gold"] is None:
                    rates.note(f"{of}{_NONE_FITS}", bool(passing), told)
                    continue
                first = await self._found(workspace_id, case["request"])
                rates.note(f"{of}the fitting one is among five", by_name[case["gold"]] in first, told)
                rates.note(f"{of}the fitting one passes", by_name[case["gold"]] in passing, told)
                rates.note(f"{of}{_ANOTHER}", not passing <= fitting, told)
        limits = {_FOREIGN: 0.02, _NONE_FITS: 0.02, _ANOTHER: 0.05}
        most = {f"{of}{name}": limit for of in ("", "strangers: ") for name, limit in limits.items()}
        rates.into(tables, f"requests {self._half}", least=0.75, most=most)

    async def near_duplicates(self, tables: Sequence[Table]) -> None:
        """Save pairs, the second of each pair after all first ones."""
        pairs = [*self.of("near_duplicates/pairs"), *self.of("near_duplicates/everyday")]
        workspace = await self._services.tenancy.workspaces.create(f"pairs {self._half}")
        store = self._services.memories.store
        await store.save_all(workspace.id, [MemoryDraft(content=pair["first"]) for pair in pairs])
        await settle(self._services, workspace.id)
        rates = Rates()
        for pair in pairs:
            (receipt,) = await store.save_all(workspace.id, [MemoryDraft(content=pair["second"])])
            # A pair's text may repeat another pair's: "User is vegetarian".
            is_merged = (
                receipt.outcome is SaveOutcome.DEDUPLICATED and receipt.memory.content == pair["first"]
            )
            of = "everyday " if pair["id"].startswith("everyday") else ""
            name = f"{of}{pair['lang']} {'duplicates' if pair['same'] else 'others'} merged"
            rates.note(name, is_merged, f"{pair['id']}: {pair['first']} / {pair['second']}")
        most = {f"{of}{language} others merged": 0.0 for of in ("", "everyday ") for language in ("en", "zh")}
        rates.into(tables, f"near duplicates {self._half}", least=0.8, most=most)

    async def languages(self, tables: Sequence[Table]) -> None:
        """Ask each language's questions, and English ones, in a workspace of its facts."""
        within, across = Rates(), Rates()
        for language in _LANGUAGES:
            facts = self.of(f"languages/{language}")
            workspace_id, ids = await self._saved(language, [{"content": fact["text"]} for fact in facts])
            for fact in facts:
                for question in fact["questions"]:
                    found = await self._found(workspace_id, question)
                    within.note(language, ids[fact["text"]] in found, f"{fact['id']}: {question}")
                found = await self._found(workspace_id, fact["english"])
                across.note(language, ids[fact["text"]] in found, f"{fact['id']}: {fact['english']}")
        within.into(tables, f"own questions {self._half}, recall@{_FIRST}", least=0.92)
        across.into(tables, f"English questions {self._half}, recall@{_FIRST}", least=0.85)

    async def _saved(self, name: str, drafts: Iterable[Case]) -> tuple[str, Mapping[str, str]]:
        """Save drafts in a new workspace; return its id and the ids of the memories by content.

        The ``aliases`` of a draft are those of entities that its text names.
        """
        workspace = await self._services.tenancy.workspaces.create(f"{name} {self._half}")
        rows = [{"dedup": False, **draft} for draft in drafts]
        aliases = [each for row in rows for each in row.pop("aliases", {}).items()]
        entities = [EntityDraft(type="Thing", name=entity, aliases=tuple(given)) for entity, given in aliases]
        if entities:
            await self._services.knowledge.ontology.upsert_entities(workspace.id, entities)
        receipts = await self._services.memories.store.save_all(
            workspace.id, [MemoryDraft(**row) for row in rows]
        )
        await settle(self._services, workspace.id)
        return workspace.id, {receipt.memory.content: receipt.memory.id for receipt in receipts}

    async def _found(self, workspace_id: str, text: str) -> set[str]:
        query = RecallQuery(query=text, limit=_FIRST, dry_run=True)
        recalled = await self._services.retrieval.recall.recall(workspace_id, query)
        return {hit.memory.id for hit in recalled.hits}

    async def _passing(self, workspace_id: str, text: str) -> set[str]:
        """Return the memories that would be brought unasked: relevance at or above the threshold."""
        query = RecallQuery(query=text, limit=_HITS, only_relevant=True, dry_run=True)
        recalled = await self._services.retrieval.recall.recall(workspace_id, query)
        return {hit.memory.id for hit in recalled.hits}


class Rates:
    """Shares by name, with the cases that count."""

    def __init__(self) -> None:
        self._noted: dict[str, list[tuple[bool, str]]] = defaultdict(list)

    def note(self, name: str, is_so: bool, told: str) -> None:
        """Count one case."""
        self._noted[name].append((is_so, told))

    def into(
        self, tables: Sequence[Table], title: str, *, least: float, most: Mapping[str, float] | None = None
    ) -> None:
        """Add a row per name to the first table, and to the second the cases against the target.

        Args:
            tables: Table of shares, and table of cases.
            title: First column of the rows.
            least: Target of every share that is not in ``most``.
            most: Upper limits, by name.
        """
        shares, details = tables
        for name, noted in self._noted.items():
            share = sum(is_so for is_so, _ in noted) / len(noted)
            limit = (most or {}).get(name)
            target = against(share, least if limit is None else limit, at_most=limit is not None)
            shares.rows.append([title, name, str(len(noted)), f"{share:.3f}", target])
            details.rows.extend([name, told] for is_so, told in noted if is_so is (limit is not None))


PLAYS: Mapping[str, Callable[[Cases, Sequence[Table]], Any]] = {
    "aliases": Cases.aliases,
    "requests": Cases.requests,
    "near_duplicates": Cases.near_duplicates,
    "languages": Cases.languages,
}


async def measure_cases(half: str, names: Sequence[str]) -> list[Table]:
    """Play the named sets, one half or both."""
    shares = Table("own cases", ("set", "what", "number", "share", "target"))
    details = Table("against the target", ("what", "case"), is_detail=True)
    say("cases: starting Neo4j")
    async with servers() as settings, engine(settings) as runtime:
        halves = "ab" if half == "all" else half
        progress = Progress("cases", len(names) * len(halves))
        for name in names:
            for each in halves:
                await PLAYS[name](Cases(runtime.services, each), (shares, details))
                progress.step(f"{name} {each}")
    return [shares, details]
