"""Extracts the facts of a message with rules; prefers missing a fact to inventing one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.chinese import (
    continues_correction,
    facts_in_chinese,
    split_request,
    with_any,
    with_subject,
)
from graph.conversations.extraction.clauses import (
    REPORTS,
    StatedClause,
    clauses_of,
    put_right,
    put_right_within,
    spelled,
    takes_back,
    with_fields_stated,
    with_named,
)
from graph.conversations.extraction.facts import (
    BROAD,
    EXPLICIT,
    HEDGED,
    INFERRED,
    Category,
    Fact,
    Polarity,
    Subject,
    collapsed,
    distinct,
    keywords_of,
    on_its_day,
    statement_of,
    trimmed,
)
from graph.conversations.extraction.own_sentences import own_sentences
from graph.conversations.extraction.phrasing import (
    END_ZH,
    USER,
    in_first_person,
    render_fact,
    third_person,
    with_front,
)
from graph.conversations.extraction.reference_form import MAX_EXTRACTION_TEXT_LENGTH, extract_facts
from graph.conversations.extraction.requests import (
    remembered_statement,
    standing_request,
    standing_request_zh,
)
from graph.conversations.extraction.rules import CHINESE, ENGLISH, Grammar, Rule, grammar
from graph.core.text.language import is_chinese
from graph.core.text.normal_forms import simplified

_SELF_ZH = re.compile("[我你]|本人")
_SELF = re.compile(r"(?<![\w-])(?:I|[Mm]y|me|[Ww]e|[Oo]ur)(?![\w-])")
_AND_PLEASE = re.compile(
    r",\s{1,9}(?:and|but)\s{1,9}(?P<request>(?:please\b|(?:always|never)\b(?=.{0,200}\bplease\b)).+)",
    re.IGNORECASE,
)
_OBJECT_ENDS = re.compile(
    r"[,;:]\s+(?:but|so|because|since|as|though|although|which|who|even|especially|thanks|thank you|please|not|"
    r"rather|if|when|while|whereas|unless|and|or|okay|ok|right)\b(?s:.*)|\sbecause\b(?s:.*)",
    re.IGNORECASE,
)
_NOW = re.compile(r"now|nowadays|these\s+days|currently|lately", re.IGNORECASE)
# Adverbs of time and degree after an object, which are no part of it.
_HOW_MUCH = re.compile(
    r"(?:,?\s+(?:any\s?more|any\s+longer|at\s+all|now|nowadays|these\s+days|lately|currently|(?:that|so|very)\s+much|a\s+lot|either|"
    r"too|as\s+well|though))+$",
    re.IGNORECASE,
)
_YOU = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
# Speech followed by its speaker: "…, said Bob".
_ATTRIBUTION = re.compile(
    rf",\s+(?:{REPORTS}\s+(?!I\b|we\b)[\w .'\u2019-]{{1,40}}"
    rf"|(?!I\b|we\b)[\w'\u2019-]{{1,30}}(?: [\w'\u2019-]{{1,30}})?\s+{REPORTS})[.!]?$",
    re.IGNORECASE,
)
_IF = re.compile(r"\bif (?!not\b)", re.IGNORECASE)
_WOULD = re.compile(r"(?:I|we)(?:\u2019d|\s+(?:would|could|might))\b", re.IGNORECASE)
# Irony, which states no preference: "I love Mondays /s", "Oh great, I love paying extra fees".
_IRONIC = re.compile(
    r"[\U0001f643\U0001f644]|(?:^|\s)/s\W*$|呵呵|^(?:oh,?\s+)?(?:(?:great|perfect|wonderful|awesome|fantastic|brilliant|lovely)[,!]+\s+"
    r"(?=I\s+(?:\w+\s+)?(?:love|adore|enjoy|like)\s+(?:\w+ing|it\s+when|how)\s+\w)|yeah,?\s+right\b)",
    re.IGNORECASE,
)
# What may be a joke is kept only when a person asks for an extraction: "I live on the moon, where else?".
_JOKING = re.compile(
    r"\b(?:where|what|who|how)\s+else\?|(?<!\bnot )\b(?:kidding|joking)\b(?!\s+aside)", re.IGNORECASE
)
# The question of a sum about invented people and things: "I bike at 20 km/h for 3 hours. How far?".
_SUM = re.compile(
    r"\bhow\s+(?:far\b(?!\s+(?:should|can|could|do|may|must)\s+I\b)|old\s+(?:is|are|was|will)\b)[^.!?]*\?\W*$|(?:几岁|走了多久|还剩几[^，,。]{0,6})[\uff1f?]\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+|一半|\bhalf\b|\btwice\b")
_FEWEST_NUMBERS = 2
_LONGEST_QUESTION = 400
_MOST_LEAD_INS = 4
_LONGEST_CORRECTED = 400


def facts_in_message(
    text: str, *, role: MessageRole | None, speaker: str | None, day: date | None = None
) -> list[Fact]:
    """Return the facts that a message states about its author, the most certain first.

    Applies all rules to a person's message. Of an assistant's message, extracts the facts of the reference extractor
    about the assistant, and its statements about the user, both with less confidence. Ignores messages of systems and
    tools.

    Args:
        text: Markdown of the message; injected memory is skipped.
        role: Role of the author; None: one of several people.
        speaker: Name of the facts' subject; None or a role: the user.
        day: Day of the message, for dates of relative times; None: unknown, so relative times stay.
    """
    if role in (MessageRole.SYSTEM, MessageRole.TOOL):
        return []
    read = text[-MAX_EXTRACTION_TEXT_LENGTH:]
    found = _of_assistant(read) if role is MessageRole.ASSISTANT else _of_person(read, _subject(speaker))
    if day is not None:
        found = (on_its_day(fact, day) for fact in found)
    if _is_sum(read):
        found = (replace(fact, confidence=min(fact.confidence, HEDGED)) for fact in found)
    ranked = sorted(distinct(found), key=lambda fact: -fact.confidence)
    return [replace(fact, keywords=keywords_of(simplified(fact.content))) for fact in ranked]


def _is_sum(text: str) -> bool:
    """Tell whether a text is a sum: it has two numbers or more, and its last question asks for another."""
    return (
        _SUM.search(text[-_LONGEST_QUESTION:]) is not None and len(_NUMBER.findall(text)) >= _FEWEST_NUMBERS
    )


def _subject(speaker: str | None) -> str | None:
    """Return a speaker's name; None if only the role is known."""
    return None if speaker is None or speaker.lower() in set(MessageRole) else speaker


def _of_person(text: str, subject: str | None) -> Iterator[Fact]:
    corrected = _with_corrections(with_fields_stated(own_sentences(text)))
    read = [sentence if _reads_as_chinese(sentence) else spelled(sentence) for sentence in corrected]
    before = ""
    for sentence, after in pairwise([*read, ""]):
        is_joke = _JOKING.search(sentence) is not None or _JOKING.match(after) is not None
        is_ironic = _IRONIC.search(sentence) is not None or _IRONIC.match(after) is not None
        found: Iterable[Fact] = ()
        if _reads_as_chinese(sentence):
            found = _chinese(with_subject(with_any(sentence)), subject)
        elif not takes_back(after):
            found = _english(with_named(before, sentence), subject)
        before = sentence
        for fact in found:
            if not (is_ironic and _is_liked(fact)):
                yield replace(fact, confidence=min(fact.confidence, HEDGED)) if is_joke else fact


def _is_liked(fact: Fact) -> bool:
    return fact.category is Category.PREFERENCE and fact.polarity is Polarity.POSITIVE


def _with_corrections(sentences: Iterable[str]) -> Iterator[str]:
    """Yield sentences with later corrections applied; join a Chinese correction to its sentence.

    The Chinese reader handles "我有三只猫。不对，是四只。" as one sentence.
    """
    last = ""
    for sentence in sentences:
        is_in_chinese = 0 < len(last) < _LONGEST_CORRECTED and _reads_as_chinese(last)
        if is_in_chinese and continues_correction(sentence):
            last = f"{END_ZH.sub('', last)}\uff0c{sentence}"
        elif last and not is_in_chinese and (right := put_right(last, sentence)) is not None:
            last = right
        else:
            if last:
                yield last
            last = put_right_within(sentence)
    if last:
        yield last


def _reads_as_chinese(sentence: str) -> bool:
    """Tell whether to read a sentence as Chinese; an English sentence may contain a Chinese name."""
    return _SELF_ZH.search(sentence) is not None or (is_chinese(sentence) and _SELF.search(sentence) is None)


def _of_assistant(text: str) -> Iterator[Fact]:
    """Yield the reference extractor's facts about the assistant, and the assistant's statements about the user."""
    english = grammar(ENGLISH)
    for sentence in own_sentences(text):
        if sentence.endswith(("?", "\uff1f")):
            continue
        if _YOU.search(sentence):
            yield from _concluded(sentence.replace("'", "\u2019"))
            continue
        for fact in extract_facts(sentence, subject=Subject.ASSISTANT):
            if not english.vague.match(fact.object or "") and not english.passing.search(sentence):
                yield replace(fact, confidence=INFERRED)


def _concluded(sentence: str) -> Iterator[Fact]:
    """Yield an assistant's statements about the user, "you prefer tea", less certain than the user's own."""
    statement = in_first_person(sentence)
    if statement is not None and _YOU.search(statement) is None:
        yield from (
            replace(fact, confidence=min(fact.confidence, INFERRED)) for fact in _english(statement, None)
        )


def _english(sentence: str, subject: str | None) -> Iterator[Fact]:
    rules = grammar(ENGLISH)
    stated = _without_lead_ins(sentence, rules)
    if _ATTRIBUTION.search(stated):
        return
    if keep := rules.requests.keep.match(stated):
        remembered = stated[keep.end() :]
        yield from _remembered(remembered.rstrip("?") if _YOU.search(keep[0]) else remembered, rules, subject)
        return
    if subject is None and (request := standing_request(stated, rules.requests)):
        yield request
        return
    if subject is None and (also := _AND_PLEASE.search(stated)):
        yield from _english(stated[: also.start()], subject)
        yield from _english(also["request"], subject)
        return
    if rules.together and (both := rules.together.match(stated)):
        other = third_person(both["first"] or both["second"])
        yield from _of_two(f"we {stated[both.end() :]}", subject, other)
        return
    if stated.endswith("?"):
        yield from _tool_in_use(stated, rules, subject)
        before = rules.request.sub("", stated)
        stated = before if before != stated else ""
    is_conditional = _IF.search(stated) is not None
    clauses = (
        replace(each, text=_bare(each.text, rules)) for each in clauses_of(_without_tails(stated, rules))
    )
    read = [
        (clause, _read(clause, rules, subject))
        for clause in clauses
        if clause.text
        and not rules.unreal.match(clause.text)
        and not (is_conditional and _WOULD.match(clause.text))
    ]
    yield from _joined([(clause, fact) for clause, fact in read if fact is not None], subject or USER)


def _of_two(sentence: str, subject: str | None, other: str) -> Iterator[Fact]:
    """Yield facts of a joint subject as the speaker's facts: "The user (and their wife) lives in Oslo"."""
    who = subject or USER
    for fact in _english(sentence, subject):
        yield replace(fact, content=fact.content.replace(f"{who} ", f"{who} (and {other}) ", 1))


def _remembered(sentence: str, rules: Grammar, subject: str | None) -> Iterator[Fact]:
    """Yield the facts of a statement that the speaker asks to be remembered, with high confidence.

    A statement that no rule reads becomes a fact of its own.
    """
    read = _chinese if _reads_as_chinese(sentence) else _english
    found = [replace(fact, confidence=max(fact.confidence, EXPLICIT)) for fact in read(sentence, subject)]
    yield from found
    says_no_more = (
        sentence.endswith(("?", "\uff1f"))
        or rules.dangling.search(trimmed(sentence))
        or rules.passing.search(sentence)
    )
    statement = None if found or says_no_more else remembered_statement(sentence, subject)
    if statement is not None and statement.is_bearable:
        yield statement


def _joined(stated: Sequence[tuple[StatedClause, Fact]], subject: str) -> list[Fact]:
    """Join the facts of neighbouring clauses with the same subject and category into one fact."""
    joined: list[Fact] = []
    last: Fact | None = None
    for clause, fact in stated:
        is_apart = clause.is_contrast or clause.front
        if last and not is_apart and _are_about_the_same(last, fact, subject):
            before = joined.pop()
            also = fact.content.removeprefix(f"{subject} ").replace(f"{subject}'s", "their", 1)
            confidence = min(before.confidence, fact.confidence)
            whole = f"{before.content} and {also}"
            joined.append(statement_of(fact.category, whole, fact.polarity, confidence=confidence))
        else:
            joined.append(fact)
        last = None if clause.front else fact
    return joined


def _are_about_the_same(one: Fact, other: Fact, subject: str) -> bool:
    """Tell whether two facts can be joined; a fact about the speaker's brother does not continue with the speaker."""
    is_of_another = not one.content.startswith(f"{subject} ") and other.content.startswith(f"{subject} ")
    is_quoted = other.content.startswith(f"{subject} said: ")
    return (
        not is_of_another
        and not is_quoted
        and one.category is other.category
        and one.polarity is other.polarity
        and one.object is None
        and other.object is None
    )


def _tool_in_use(question: str, rules: Grammar, subject: str | None) -> Iterator[Fact]:
    """Yield the tool that a question implies: somebody who asks how to use it works with it."""
    match = rules.tool_question.search(question) if rules.tool_question else None
    if match is not None:
        predicate = rules.tool_statement.format(object=match["object"])
        yield statement_of(Category.CAREER, f"{subject or USER} {predicate}", confidence=INFERRED)


def _read(clause: StatedClause, rules: Grammar, subject: str | None) -> Fact | None:
    """Return the fact of a clause, or the more certain fact of the clause with its front, "every Sunday I …"."""
    found = _read_alone(clause, rules, subject)
    if not clause.front or (found and found.confidence > BROAD):
        return found
    whole = _read_alone(StatedClause(f"{clause.front}, {clause.text}"), rules, subject)
    return whole or found


def _read_alone(clause: StatedClause, rules: Grammar, subject: str | None) -> Fact | None:
    """Return the fact of the first rule that matches a clause, unless its object is vague."""
    hedge = rules.hedged.search(clause.text)
    bare = trimmed(clause.text[hedge.end() :]) if hedge and hedge.start() == 0 else clause.text
    if rules.dangling.search(bare):
        return None
    whole = f"{clause.front} {bare}"
    is_passing = _is_of_the_moment(whole, bare, rules)
    for rule in rules.rules:
        if match := rule.begins.match(bare):
            about = match.groupdict().get("object")
            # Facts of the reference extractor (`capture`) are kept with less confidence, for a requested extraction.
            if (about is not None and rules.vague.match(about.strip())) or (
                is_passing and not rule.is_captured
            ):
                return None
            is_at_hand = about is not None and rules.at_hand.match(about.strip()) is not None
            is_doubtful = hedge or is_passing or is_at_hand or rules.doubtful.search(whole)
            is_to_you = _YOU.search(bare) or _YOU.search(clause.front)
            doubts = [HEDGED] * bool(is_doubtful) + [BROAD] * (is_to_you is not None)
            is_negated = rules.negated.match(bare) is not None
            fact = _fact(
                StatedClause(bare, clause.front),
                about,
                _denied(rule, is_negated=is_negated),
                subject,
                min([rule.confidence, *doubts]),
            )
            return fact if fact.is_bearable else None
    return None


def _bare(clause: str, rules: Grammar) -> str:
    """Return a clause without lead-ins, requests and polite endings."""
    return trimmed(_without_tails(rules.request.sub("", _without_lead_ins(clause, rules)), rules))


def _without_tails(statement: str, rules: Grammar) -> str:
    """Return a statement without polite phrases and requests after it, "I live in Rome, thank you"."""
    return statement if rules.tail is None or statement.endswith("?") else rules.tail.sub("", statement)


def _is_of_the_moment(whole: str, bare: str, rules: Grammar) -> bool:
    """Tell whether a clause is useless later: it concerns only this day, or needs the previous messages."""
    if rules.unclear and rules.unclear.match(bare):
        return True
    is_passing = rules.passing.search(whole) or (rules.momentary and rules.momentary.search(whole))
    return is_passing is not None and not (rules.lasting and rules.lasting.match(bare))


def _denied(rule: Rule, *, is_negated: bool) -> Rule:
    """Return a rule with negative polarity for a negated clause."""
    return replace(rule, polarity=Polarity.NEGATIVE) if is_negated else rule


def _fact(
    clause: StatedClause, about: str | None, rule: Rule, subject: str | None, confidence: float
) -> Fact:
    text, front = (part.replace("\u2019", "'") for part in (clause.text, clause.front))
    sentence = collapsed(with_front(render_fact(text, subject or USER), front))
    is_limited = front and not _NOW.fullmatch(front)
    if not rule.is_captured or about is None or subject is not None or is_limited:
        return statement_of(rule.category, sentence, rule.polarity, confidence=confidence)
    about = collapsed(trimmed(_OBJECT_ENDS.sub("", about))).replace("\u2019", "'")
    about = trimmed(_HOW_MUCH.sub("", about)) or about
    return Fact(rule.category, sentence, rule.polarity, confidence, about)


def _chinese(sentence: str, subject: str | None) -> Iterator[Fact]:
    rules = grammar(CHINESE)
    rest = _without_lead_ins(sentence.strip(), rules)
    requested, after = split_request(rest)
    if keep := rules.requests.keep.match(simplified(rest)):
        yield from _remembered(rest[keep.end() :], rules, subject)
    elif subject is None and (request := standing_request_zh(requested, rules.requests)):
        yield request
        yield from facts_in_chinese(after, subject)
    else:
        yield from facts_in_chinese(rest, subject)


def _without_lead_ins(sentence: str, rules: Grammar) -> str:
    """Return a sentence without lead-ins: "Okay, so, by the way,"."""
    for _ in range(_MOST_LEAD_INS):
        match = rules.lead_in.match(simplified(sentence))
        if match is None or match.end() == len(sentence):
            break
        sentence = sentence[match.end() :].lstrip()
    return sentence
