"""Reads Chinese pairs of an older state and a newer text; see :mod:`graph.memories.changes.pairs`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from typing_extensions import override

from graph.core.text.normal_forms import simplified
from graph.memories.changes.chinese import (
    BY_THEN,
    LEAD,
    OF_PEOPLE,
    ONE_FORM,
    TABLE,
    TO_PLAIN,
    cue,
    person_at_start,
    thing_of,
    written_out,
)
from graph.memories.changes.pairs import PairReader
from graph.memories.changes.slots import SELF, SlotStatement, known_place, may_be_one_home, town_of

_SENTENCES = re.compile(r"[^\u3002\uff01!\uff1b;\uff1f?\n]+[\u3002\uff01!\uff1b;\uff1f?\n]?")
_SPLIT = re.compile(r"[\uff0c,\u3002\uff1b;\uff01!\u3001]")
_FICTION, _UNREAL, _STAY, _SECOND = cue("fiction"), cue("unreal"), cue("stay"), cue("second")
_PLAN, _NOT_PLAN, _PAST, _NOT_PAST = cue("plan"), cue("not_plan"), cue("past"), cue("not_past")
_UNMADE, _ONE_MORE, _MEASURED = cue("unmade"), cue("one_more"), cue("measured")
_PERSON = re.compile(rf"{written_out('<KIN>')}|{written_out(str(TABLE['subjects']['person']))}")
_SPOUSE = re.compile(rf"[\u4e00-\u9fff]{{0,2}}{written_out('<SPOUSE>')}")
_THING = re.compile(
    r"^(?:把|给|将)?\s?(?P<thing>[^，,。]{1,16}?)(?=的?(?:端口|版本)|的|从|现在|如今|目前|已|被|换|改|转|变|卖|送|走|用|跑|是|由|归"
    r"|告别|不|在|我|他|她|上周|这周|昨|今|到|甩|交|升|重装|都|也|就|过户|只好|不得不|干脆|挪|走\s?\d|$)"
)
_MINE = re.compile(r"^(?:我|用户|我们|咱)的?(?:[那这][个台辆套栋间家本部])?(?=..)")
_TAKEN = re.compile(
    r"(?:接了|接手|接管|接过|买下|盘下|卖了|卖掉|把)了?(?:这个|那个)?(?P<thing>[^，,。的给交转送卖]{1,10})"
)
_OF_OTHERS = re.compile(
    r"(?:的|测试|备用|备份|隔壁|第二个|另一个|同事|朋友|邻居|妈|爸|哥|姐|弟|妹)(?:那|这)?[个台辆]?$"
)
_OF_MINE = re.compile(r"(?:我|用户|我们|咱)的(?:那|这)?[个台辆]?$")
_PART = re.compile(r"的(?!端口|版本|新|现在|维护|活|负责|owner)|组|同事|团队")
_AFTER = re.compile(r"^[^，,。]{1,6}(?:之后|以后|完后)")
_COMPANION = re.compile(r"(?:和|跟|与|找|给|让|被)$")
_DWELLS = re.compile(r"(?:定居|生活|住|安家|落户|落脚|扎根|安顿|过日子|养老|的家)|$")
_AT_HOME = re.compile("的新?(?:房东|邻居|小区|新家|物业|出租屋|公寓|房租|房)")
_FEWEST = 4
_NO_EMPLOYER = cue("no_employer")


class ChinesePairs(PairReader):
    """The cues of Chinese."""

    def __init__(self) -> None:
        super().__init__(TABLE, lambda wording: re.compile(written_out(wording)))
        others = self.other.pattern
        self._of_own = re.compile(rf"(?:{TABLE['pairs']['own']})$")
        self._senior = re.compile(TABLE["pairs"]["senior"])
        self._me = re.compile(rf"(?:我|用户|咱|俺|本人)(?!们?的?(?:{others}|{_PERSON.pattern}))")
        self._of_somebody = re.compile(rf"的?(?:{others})")

    @override
    def clauses(self, text: str, slot: str) -> Iterator[tuple[str, str]]:
        plain = simplified(text).translate(TO_PLAIN)
        for sentence in () if _FICTION.search(plain) else _SENTENCES.findall(plain):
            if not _UNREAL.search(sentence):
                yield from ((sentence, each.strip()) for each in _SPLIT.split(sentence) if each.strip())

    @override
    def subjects(self, text: str) -> tuple[Sequence[str], Sequence[str]]:
        people, things = [SELF], []
        for _, clause in self.clauses(text, ""):
            person = person_at_start(LEAD.sub("", clause))
            people += (
                [person] if person else [ONE_FORM.get(each, each) for each in _PERSON.findall(clause)[:1]]
            )
            bare = _MINE.sub("", _AFTER.sub("", LEAD.sub("", clause)))
            found = [each for each in (_THING.match(bare), _TAKEN.search(clause)) if each]
            things += [thing_of(each["thing"]) for each in found]
        return tuple(dict.fromkeys(people)), tuple(dict.fromkeys(each for each in things if each))

    @override
    def about_thing(self, stated: Sequence[tuple[str, str]], state: SlotStatement) -> Iterator[str]:
        about = {sentence for sentence, clause in stated if _is_thing(clause, state.subject)}
        for sentence, clause in stated:
            bare, is_done = LEAD.sub("", clause), "把" in clause
            is_of_other = is_done and person_at_start(bare) is not None and not self._me.match(bare)
            if sentence in about and not (state.value == SELF and is_of_other):
                yield clause

    @override
    def is_about(self, clause: str, state: SlotStatement, text: str) -> bool | None:
        bare = LEAD.sub("", clause)
        subject = state.subject
        person = person_at_start(bare)
        others = [
            each
            for each in self.other.finditer(clause)
            if not self.beside.search(clause[: each.start()])
            and not (state.slot == "spouse" and _SPOUSE.fullmatch(each[0]))
            and not self._of_own.search(clause[: each.end()])
            and (subject == SELF or _mention(subject, each[0]) is None)
        ]
        if subject == SELF and bare.startswith(state.value or " "):
            person = None
        if subject == SELF:
            if others or self._senior.match(bare) or (person and not self._me.match(bare)):
                return False
            return True if self._me.search(clause) else None
        found = _mention(subject, clause)
        if found is None:
            is_other = others or self._me.match(bare) or (person and person != subject)
            return False if is_other else None
        before, after = clause[: found.start()], clause[found.end() :]
        is_of_other = self._of_somebody.match(after) or any(each.start() < found.start() for each in others)
        return not (is_of_other or (_COMPANION.search(before) and not person))

    @override
    def is_void(self, clause: str, slot: str) -> bool:
        if _PLAN.search(_NOT_PLAN.sub("", clause)) or _PAST.search(_NOT_PAST.sub("", clause)):
            return True
        if _UNMADE.search(clause) or _ONE_MORE.search(clause):
            return True
        if slot in {"version", "port"} and _MEASURED.search(clause):
            return True
        return slot in OF_PEOPLE and (_STAY.search(clause) or _SECOND.search(clause)) is not None

    @override
    def named(self, state: SlotStatement, clause: str) -> re.Match[str] | None:
        value = state.value or ""
        forms = [re.escape(value)]
        if state.slot == "role":
            forms.append(re.escape(value[-2:]))
        elif state.slot == "phone":
            forms = [re.escape(value[-4:])]
        elif state.slot == "home":
            forms.append(re.escape(town_of(value)))
        elif state.slot in {"project", "employer"} and len(value) >= _FEWEST:
            forms += [f"{value[:2]}.{{0,6}}{value[-2:]}", f"{value[0]}{value[2]}", f"{value[0]}{value[-1]}"]
            forms += [f"{value[-2:]}", f"{value[:2]}.{{0,3}}{value[-1]}"] if state.slot == "project" else []
        return re.search("|".join(forms), clause, re.IGNORECASE)

    @override
    def is_other(self, found: re.Match[str], value: str, state: SlotStatement) -> bool:
        former = state.value or ""
        if value in former or former in value:
            return False
        if state.slot == "home":
            behind = found.string[found.end("value") :].lstrip("了啦")
            is_place = known_place(town_of(value)) or _DWELLS.match(behind)
            return (
                bool(is_place)
                and not BY_THEN.match(behind)
                and (not behind.startswith("的") or _AT_HOME.match(behind) is not None)
                and not may_be_one_home(replace(state, is_change=True), value, former)
            )
        if state.slot == "employer":
            return not known_place(found["value"]) and not _NO_EMPLOYER.fullmatch(value)
        if state.slot == "version" and state.of and found["of"]:
            of = found["of"].casefold()
            return state.of in {of, TABLE["kinds"].get(of)}
        return True


def _mention(subject: str, clause: str) -> re.Match[str] | None:
    forms = [subject, *(form for form, one in ONE_FORM.items() if one == subject)]
    spaced = ("\\s?".join(map(re.escape, form)) for form in sorted(forms, key=len, reverse=True))
    return re.search("|".join(spaced), clause, re.IGNORECASE)


def _is_thing(clause: str, subject: str) -> bool:
    """Tell whether a clause is about the thing itself, not about a part of it or a similar thing."""
    found = _mention(subject, clause)
    if found is None or _PART.match(clause, found.end()):
        return False
    before = clause[: found.start()]
    return not _OF_OTHERS.search(before) or _OF_MINE.search(before) is not None


CHINESE_PAIRS = ChinesePairs()
