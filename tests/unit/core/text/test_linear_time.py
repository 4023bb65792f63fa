"""Time to read a caller's text: it grows with the length and not with its square.

The test finds every compiled pattern in the modules of ``app`` and ``graph``, the rules of extraction
included; the tables below name each untested one with the reason.
"""

import gc
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from re import _constants as codes
from re import _parser as parser
from typing import Any

import pytest

import app
import graph
from app.adapters.documents.markdown import read_markdown
from app.adapters.documents.outline import read_plain_text
from app.adapters.secrets import SecretPatterns
from app.surfaces.proxy.event_stream import EventReader
from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.capture.statements import message_sentences, without_injected
from graph.conversations.distillation.choosing import chosen
from graph.conversations.distillation.models import Distillation, DistillSource
from graph.conversations.episodes.summarising import summary_and_omitted
from graph.conversations.extraction.facts import keywords_of
from graph.conversations.extraction.reading import facts_in_message
from graph.conversations.extraction.rules import CHINESE, ENGLISH, grammar
from graph.conversations.handoffs.extracting import HandoffSource, extracted
from graph.conversations.handoffs.models import HandoffLanguage
from graph.core.text.language import sentences, spaced_stems
from graph.core.text.normal_forms import plain
from graph.core.text.prompts import as_data
from graph.core.text.summaries import extractive_summary
from graph.knowledge.documents.chunking import chunks_of
from graph.knowledge.linking.models import LinkingSource, NamedEntity
from graph.knowledge.linking.naming import links_of, named_in
from graph.memories.changes.statements import slot_statements
from graph.memories.deduplication.disagreement import disagree
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.saving.classification import classify
from graph.memories.saving.indexing import search_keys
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.local_models import count_tokens

NOT_OVER_TEXT: Mapping[str, str] = {
    "app.embedded": "what servers and Java print",
    "app.cli.admin": "runs on the caller's own machine",
    "app.cli.data": "runs on the caller's own machine",
    "app.cli.doctor": "runs on the caller's own machine",
    "app.cli.servers": "runs on the caller's own machine",
    "graph.operations.admin": "our own schema files",
    "graph.conversations.extraction.rules": "our own files of rules",
    "graph.core.database": "what Neo4j says",
    "app.surfaces.http.errors": "what Litestar says",
    "app.surfaces.http.refusals": "our own messages",
    "app.surfaces.graphql.errors": "what graphql-core says",
    "app.cli.demo": "our own conversation",
    "app.client": "runs on the caller's own machine",
    "app.settings.names": "names of environment variables",
}
MATCHED = frozenset(
    {  # Used only with match or fullmatch, at one place of a text.
        *map(
            "graph.memories.deduplication.sameness.{}".format,
            ("_ASKS", "_NUMBER_AND_UNIT", "_ORDINAL", "_HYPHENATED"),
        ),
        *map(
            "graph.memories.changes.{}".format,
            ("relative_english._ONE_DAY", "chinese._NAMED_PRODUCT", "english._ADVERBIAL"),
        ),
        "graph.memories.deduplication.statements.REGULAR_PAST",
        "graph.memories.deduplication.attributes._BEGINNING_IN_ENGLISH",
        "graph.memories.deduplication.attributes._READINGS_IN_ENGLISH",
        "graph.memories.deduplication.attributes._READINGS_IN_CHINESE",
        "graph.memories.deduplication.statements._ADDRESS",
        "graph.conversations.extraction.phrasing._OF_YOU",
        "graph.conversations.extraction.requests._WANTED",
        "graph.conversations.extraction.requests._MAY_YOU",
        "graph.conversations.extraction.facts._BIRTHDAY",
        "graph.conversations.extraction.phrasing._RELATIVE",
        "graph.conversations.extraction.own_sentences._FORMAL",
        "graph.conversations.extraction.requests._MANNER",
        "graph.conversations.extraction.requests._MOMENTARY",
        "graph.conversations.extraction.phrasing._OWN",
        "graph.retrieval.recall.overview_requests._ENGLISH",
        "graph.retrieval.recall.overview_requests._CHINESE",
        "graph.retrieval.answering.answer_types._NAME_LIKE",
        "graph.retrieval.recall.parsed_query._WHO",
        "graph.retrieval.recall.parsed_query._ASKS",
        "graph.retrieval.recall.parsed_query._SPOKEN_LINE",
        "graph.retrieval.answering.procedures._FENCE",
        "graph.retrieval.answering.procedures._MARKDOWN_HEADING",
        "graph.memories.saving.preparing._TYPE_PREFIX",
        "graph.memories.saving.preparing._TRIVIAL",
        "graph.knowledge.linking.identifiers._IDENTIFIER",
        "graph.knowledge.ontology.names._TYPE",
        "graph.knowledge.ontology.names._RELATION_TYPE",
        "graph.knowledge.ontology.names._RELATION_ID",
        "graph.knowledge.ontology.rules._URI",
        "graph.telemetry.rules._TYPE",
        "graph.core.text.checks._IDENTIFIER",
        "graph.retrieval.context.service._MODEL",
        "graph.knowledge.traversal._EDGE_TYPE",
        "graph.tenancy.sessions._ID",
        "app.observability.requests._REQUEST_ID",
        "app.surfaces.mcp.reading._URI",
        "app.adapters.documents.markdown._FRONT_MATTER",
    }
)
SENTENCES = "reading chinese clauses concluding chat_spelling phrasing requests".split()
LONGEST_READ: Mapping[str, int] = {
    # Prefixes of names: these patterns read at most so many characters at once.
    "english.": 400,  # one sentence: own_sentences._LONGEST_SENTENCE
    "chinese.": 400,
    **{f"graph.conversations.extraction.{name}.": 400 for name in SENTENCES},
    **{
        f"graph.memories.changes.{name}.": 400
        for name in "english chinese subjects slots pairs pairs_english pairs_chinese holdings voices".split()
    },
    "graph.memories.deduplication.rewording.": 300,  # one statement: rewording._LONGEST
    "graph.memories.changes.english_dates.": 400,  # the clause around a time
    "graph.memories.changes.relative_english.SENTENCE_START": 400,
    "graph.memories.changes.relative_english._O": 20,
    "graph.memories.changes.english_calendar._YEAR": 800,
    **{
        f"graph.memories.changes.relative_chinese.{name}": 200
        for name in ("_PAST", "_AHEAD", "_TURNING", "_RECURRING")
    },
    "graph.memories.changes.relative_times._DATE_AT_LINE_END": 40,
    "graph.memories.changes.questions.": 120,
    "graph.retrieval.recall.overview_requests.": 120,
    "graph.retrieval.recall.topics.": 200,
    "graph.knowledge.linking.occurrences._SENTENCE_START": 8,
    "graph.knowledge.linking.identifiers._PRECEDING": 30,
    "graph.knowledge.linking.kinds.": 40,
}
GRAMMAR_SEARCHED = frozenset(
    "passing hedged dangling request unreal tool_question ends tag momentary tail".split()
)

REPEATED = (
    " ", "\t", "\n", " \n", "\r\n", "\n\n", "a", "a ", "A", "Aa ", "aA", "a_", "_", "a@", "a.b@", "a.", ".", "1", "1.",
    "1 ", "1:", "我", "我喜欢", "。", "，", "[](", "[](a", "[", "](", "(", "<", ">", '"', "'", "“", "‘", "「", "`",
    "```", "*", "#", "-", "- ", "/", "a/", "./", "|", "&", "!", "! ", "\\", "{", "I ", "I have ", "my ", "www.", "http://",
    "---\n", "how do ", "a:b ", "a'", "every ", "to ", "eyJ", "://a:", "at ", "\nat ",
)  # fmt: skip
ENDS = ("", "!\x00")
SHORT, LONG = 1_000, 8_000
UNNOTICED_SECONDS, UNNOTICED_SECONDS_OF_A_SENTENCE = 0.003, 0.06
MOST_GROWTH = 2.5 * LONG / SHORT  # quadratic time would be sixty-four times as much

TALK = (
    " ", "\n", "a", "a ", "Aa ", "a@", "a.b@", "a.", "1.", "1:", "我喜欢", "。", "[](", "[](a", "[", "<", '"', "“",
    "“I ",
    "`", "- ", "a/", "&", "! ", "I have ", "http://", "how do ", "a.a()", "---\n", "Ada ", "x=1; ", "do not a. ",
    "I like tea. ", "We still need to call. It is done. ", "我喜欢喝茶。", "Ada met Bob at a@b.c on 2024-01-01. ",
    "I have to go\n", "Known entities:\n- a\n", "and I ", "my mom says I ", "when I eat, I ", ", so please ", "lol ",
    "no wait, ", "Hi Ann,\n", "Best,\n", "note: I ", "im 27 i live in a ", "that doesn't mean ", "I love it too ",
)  # fmt: skip
FUNCTION_SHORT, FUNCTION_LONG = 500, 8_000
FUNCTION_UNNOTICED_SECONDS = 0.1
FUNCTION_MOST_GROWTH = 8.0 * FUNCTION_LONG / FUNCTION_SHORT  # quadratic time would be 256 times as much


def modules() -> Iterator[Any]:
    for package in (app, graph):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__") and not found.name.startswith("app.client"):
                yield importlib.import_module(found.name)


def patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, list | tuple):
        for each in value:
            yield from patterns_in(each, depth + 1)
    elif depth < 4 and isinstance(value, Mapping):
        for each in value.values():
            yield from patterns_in(each, depth + 1)


def found_patterns() -> dict[re.Pattern[Any], tuple[str, bool]]:  # noqa: C901
    """Return each pattern with its name and whether it is searched for, rather than matched at one place."""
    found: dict[re.Pattern[Any], tuple[str, bool]] = {}
    for module in modules():
        if any(module.__name__.startswith(name) for name in NOT_OVER_TEXT):
            continue
        for name, value in vars(module).items():
            full = f"{module.__name__}.{name}"
            for pattern in patterns_in(value):
                if pattern not in found or full.startswith("graph."):
                    found[pattern] = (full, full not in MATCHED)
    for language in (ENGLISH, CHINESE):
        rules = grammar(language)
        for part in filter(None, (rules, rules.requests, rules.clauses)):
            for field in fields(part):
                for pattern in patterns_in(getattr(part, field.name)):
                    found[pattern] = (f"{language}.{field.name}", field.name in GRAMMAR_SEARCHED)
        for rule in rules.rules:
            found[rule.begins] = (f"{language}.rules", False)
    for _, pattern in SecretPatterns()._patterns:
        found[pattern] = ("secret_patterns", True)
    return found


def pieces_of(pattern: re.Pattern[Any]) -> list[str]:  # noqa: C901
    """Return texts that match parts of a pattern, any of which may be slow if repeated."""
    found: set[str] = set()

    def of_class(items: Any) -> str:
        kinds = {
            codes.CATEGORY_WORD: "a", codes.CATEGORY_NOT_WORD: ".", codes.CATEGORY_DIGIT: "1",
            codes.CATEGORY_NOT_DIGIT: "a", codes.CATEGORY_SPACE: " ", codes.CATEGORY_NOT_SPACE: "a",
        }  # fmt: skip
        chars = []
        for code, value in items:
            if code is codes.NEGATE:
                return "z"
            chars.append(
                chr(value)
                if code is codes.LITERAL
                else chr(value[0])
                if code is codes.RANGE
                else kinds[value]
            )
        return min(chars)

    def of(tree: Any) -> str:
        text = ""
        for code, value in tree:
            if code is codes.LITERAL:
                text += chr(value)
            elif code in (codes.ANY, codes.NOT_LITERAL):
                text += "z"
            elif code is codes.IN:
                text += of_class(value)
            elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
                part = of(value[2])
                found.add(part)
                text += part * max(1, min(value[0], 40))
            elif code is codes.SUBPATTERN:
                text += of(value[3])
            elif code is codes.ATOMIC_GROUP:
                text += of(value)
            elif code is codes.BRANCH:
                parts = [of(each) for each in value[1]]
                found.update(parts[:6])
                text += next((part for part in parts if part), "")
        if text:
            found.add(text)
        return text

    whole = of(parser.parse(pattern.pattern, pattern.flags))
    ranked = sorted((piece for piece in found if 0 < len(piece) <= 60), key=lambda piece: (len(piece), piece))
    return [*ranked[:12], *([whole] if 0 < len(whole) <= 200 else [])]


@pytest.fixture(autouse=True)
def _no_collections() -> Iterator[None]:
    """Keep the garbage collector out of the timings: its time depends on the whole process."""
    gc.disable()
    yield
    gc.enable()


def seconds(work: Callable[[Any], object], text: Any, *, times: int = 2) -> float:
    """Return the least processor time of several runs."""
    taken = []
    for _ in range(times):
        begin = time.thread_time()
        work(text)
        taken.append(time.thread_time() - begin)
        if taken[-1] < UNNOTICED_SECONDS:
            break
    return min(taken)


def grows(work: Callable[[Any], object], texts: list[Any], unnoticed: float, *, times: int) -> bool:
    """Tell whether a long text takes noticeably long and far more than its length explains."""
    taken = seconds(work, texts[0], times=times)
    return taken > unnoticed and taken > MOST_GROWTH * seconds(work, texts[1], times=times)


def adversaries(pattern: re.Pattern[Any], chars: int) -> Iterator[str]:
    own = pieces_of(pattern)
    whole = own[-1] if own else ""
    for repeated in dict.fromkeys((*REPEATED, *own)):
        for end in ENDS:
            yield repeated * max(1, chars // len(repeated)) + end
    for repeated in (" ", "a", "a ", "1", "_", ".", "我"):
        # after a matching beginning, failing at the end
        yield whole + repeated * chars + "!\x00"
        yield whole[: len(whole) // 2] + repeated * chars + "!\x00"


def used(pattern: re.Pattern[Any], *, searched: bool) -> Callable[[Any], object]:
    if not searched:
        return lambda text: (pattern.match(text), pattern.fullmatch(text))
    return lambda text: sum(1 for _ in pattern.finditer(text))


def test_every_exemption_and_every_use_names_something() -> None:
    """C16: the tables contain nothing that is gone from the code."""
    names = {name for name, _ in found_patterns().values()}
    known = {module.__name__ for module in modules()} | {"app.client"}

    assert sorted(MATCHED - names) == []
    assert sorted(name for name in NOT_OVER_TEXT if name not in known) == []


@pytest.mark.parametrize("part", range(4))
def test_no_pattern_takes_quadratic_time(part: int) -> None:
    """C16: eight times the text takes at most twenty times as long."""
    slow = []
    every = sorted(found_patterns().items(), key=lambda item: (item[1][0], str(item[0].pattern)))
    assert len(every) > 250
    for pattern, (name, searched) in every[part::4]:
        work = used(pattern, searched=searched)
        most = min([LONG, *(chars for prefix, chars in LONGEST_READ.items() if name.startswith(prefix))])
        least = most * SHORT // LONG
        unnoticed = UNNOTICED_SECONDS if most == LONG else UNNOTICED_SECONDS_OF_A_SENTENCE
        for long, short in zip(adversaries(pattern, most), adversaries(pattern, least), strict=True):
            texts = [text.encode() if isinstance(pattern.pattern, bytes) else text for text in (long, short)]
            # other processes on the core distort some timings: slow ones are measured again
            if all(grows(work, texts, unnoticed, times=times) for times in (2, 10)):
                slow.append(
                    (name, pattern.pattern[:80], long[:40], long[-20:], round(seconds(work, texts[0]), 2))
                )
                break

    assert slow == []


def message(text: str, role: MessageRole = MessageRole.USER, position: int = 0) -> Message:
    return Message(
        id=f"m{position}",
        workspace_id="w",
        conversation_id="c",
        role=role,
        content=text,
        position=position,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def linked(text: str) -> object:
    named = named_in([LinkingSource(workspace_id="w", id="m", version=1, content=text)])
    known = [
        NamedEntity(id=f"e{place}", type="Thing", name=key, name_keys=(key,))
        for place, key in enumerate(named[0].keys)
    ]
    return links_of(named, known)


def handed_over(text: str) -> object:
    said = [message(text), message(text, MessageRole.ASSISTANT, 1)]
    source = HandoffSource(title=None, messages=said, episodes=[], memories=[])
    return extracted(source, HandoffLanguage.ENGLISH)


def distilled(text: str) -> object:
    pending = Distillation(
        id="d", workspace_id="w", source=DistillSource.RESEARCH, text=text, api_key_id="k",
        created_at=datetime(2026, 1, 1, tzinfo=UTC), is_wanted=True,
    )  # fmt: skip
    return chosen(pending)


FUNCTIONS: Mapping[str, Callable[[str], object]] = {
    "facts of a person": lambda text: facts_in_message(text, role=MessageRole.USER, speaker=None),
    "facts of an assistant": lambda text: facts_in_message(text, role=MessageRole.ASSISTANT, speaker=None),
    "linking": linked,
    "handoff": handed_over,
    "distilling": distilled,
    "episode": lambda text: summary_and_omitted([message(text)]),
    "summary": extractive_summary,
    "sentences": sentences,
    "text as data": as_data,
    "said sentences": message_sentences,
    "stems": spaced_stems,
    "injected": without_injected,
    "sameness": lambda text: say_the_same(text, text + " b"),
    "plain": plain,
    "rotation": lambda text: say_the_same(f"b {text}", f"{text} c"),
    "disagreement": lambda text: disagree(text[:400], f"not {text[:390]}"),
    "changes": lambda text: slot_statements.__wrapped__(text[:400]),
    "keywords": keywords_of,
    "type": classify,
    "credentials": SecretPatterns().kinds_in,
    "search keys": lambda text: search_keys(
        {"key": text, "tags": [text], "keywords": [text], "content": text}
    ),
    "question": lambda text: (ParsedQuery(text).weighted_words, ParsedQuery(text).focus_stems),
    "plain text": lambda text: list(chunks_of(read_plain_text(text.encode()), count_tokens)),
    "markdown": lambda text: list(chunks_of(read_markdown(text.encode()), count_tokens)),
    "events": lambda text: EventReader().feed(text.encode()),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_takes_quadratic_time(name: str) -> None:
    """C16: sixteen times the text takes at most eighty times as long."""
    work = FUNCTIONS[name]
    slow = []
    work("warm up. ")
    for repeated in TALK:
        taken = seconds(work, repeated * (FUNCTION_LONG // len(repeated)))
        short = repeated * (FUNCTION_SHORT // len(repeated))
        if taken > FUNCTION_UNNOTICED_SECONDS and taken > FUNCTION_MOST_GROWTH * seconds(work, short):
            slow.append((repeated, round(taken, 2)))

    assert slow == []
