"""Detects requests for everything known about their author; they share no words with the memories."""

import re

from graph.core.text.normal_forms import simplified
from graph.memories.models import MemoryFilter
from graph.retrieval.recall.parsed_query import ASSISTANT

_MOST_CHARS = 120
_POLITE = (
    r"(?:(?:hi|hello|hey|ok|okay|so|well|please|now|can you|could you|would you|tell me|say|show me)"
    r"[,!.]?\s+){0,3}"
)
# "us" means people, "US" a country.
_US = r"(?-i:us)"
_KNOWN = (
    r"(?:know|remember|remembered|recall|learn(?:ed|t)?|stored?|saved?|memori[sz]ed?|"
    r"have (?:stored|saved|remembered))"
)
_SO_FAR = r"(?:\s+(?:so far|already|until now|right now|yet|exactly))?"
_ENGLISH = re.compile(
    rf"\W*{_POLITE}(?:"
    r"(?:what|how much|everything|anything|all|which things)(?:\s+(?:all|else|things|facts))?"
    rf"(?:\s+(?:do|have|did|that))?(?:\s+you)?(?:\s+(?:already|actually|currently|still|have|all|even))?\s+{_KNOWN}"
    r"(?:\s+(?:all|everything))?\s+(?:about|of|on)\s+"
    rf"(?:me|myself|{_US})"
    rf"|(?:do\s+you\s+(?:still\s+)?)?(?:know|remember)\s+(?:me|who\s+I\s+am|anything\s+about\s+(?:me|{_US}))"
    r"|who\s+am\s+I|(?:tell\s+me\s+)?(?:everything\s+|something\s+)?about\s+(?:me|myself)|describe\s+me"
    r"|what\s+(?:do|can)\s+you\s+(?:still\s+)?(?:remember|recall)"
    r"|what\s+have\s+(?:I\s+told\s+you|you\s+learned)(?:\s+about\s+(?:me|myself))?"
    rf"|summari[sz]e\s+(?:what|everything|all)\s+(?:that\s+)?you\s+{_KNOWN}\s+(?:about|of)\s+(?:me|{_US})"
    rf"){_SO_FAR}\W*",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\W*(?:(?:hallo|hi|ok|bitte|und|also|sag mir|erzähl mir)[,!.]?\s+){0,2}(?:"
    r"was\s+(?:alles\s+)?(?:weißt|weisst)\s+du\s+(?:(?:alles|noch|schon|bisher|denn|so|eigentlich)\s+){0,2}"
    r"(?:über|von)\s+mi(?:ch|r)"
    r"|was\s+du\s+(?:alles\s+)?(?:über|von)\s+mi(?:ch|r)\s+(?:weißt|weisst)"
    r"|was\s+hast\s+du\s+(?:dir\s+)?(?:alles\s+)?(?:über|von)\s+mi(?:ch|r)\s+(?:gemerkt|gespeichert|gelernt)"
    r"|(?:weißt|weisst)\s+du,?\s+wer\s+ich\s+bin|wer\s+bin\s+ich"
    r")(?:\s+(?:schon|bisher|noch))?\W*",
    re.IGNORECASE,
)
_ANYTHING = "(?:的?(?:事情?|信息|东西|内容))?"
_CHINESE = re.compile(
    r"\W*(?:你好|嗨|请|请问|那|那么|告诉我|说说|[，,\s])*(?:"
    r"你?(?:现在|都|还)*(?:记得|知道|了解|记住了?|记了)(?:关于)?我的?"
    rf"(?:些?什么|哪些{_ANYTHING}|多少|吗|是谁|一切|所有{_ANYTHING})?(?:事情?|信息)?"
    rf"|你?(?:关于我|对我|对于我)[，,]?你?(?:都|还)*(?:记得|知道|了解|记住了?)(?:些?什么|哪些{_ANYTHING}|多少|吗)?"
    rf"|我是谁|介绍一下我|你(?:都|还)?记得(?:些?什么|哪些{_ANYTHING})"
    r")(?:吗|呢|啊)?\W*"
)


def excluding_assistant(filter_: MemoryFilter) -> MemoryFilter:
    """Return the filter without statements of the assistant."""
    return filter_.model_copy(update={"excluded_speakers": (ASSISTANT,)})


def asks_what_is_known(text: str) -> bool:
    """Tell whether a text only requests all known about its author, in English, German or Chinese.

    >>> asks_what_is_known("What do you know about me?")
    True
    >>> asks_what_is_known("What do you know about my car?")
    False
    """
    if len(text) > _MOST_CHARS:
        return False
    matches = (_ENGLISH.fullmatch(text), _GERMAN.fullmatch(text), _CHINESE.fullmatch(simplified(text)))
    return any(found is not None for found in matches)
