"""Whether a text asks for all that is known of whoever wrote it, which shares no word with what is known."""

import re

_MOST_CHARS = 120
_POLITE = (
    r"(?:(?:hi|hello|hey|ok|okay|so|well|please|now|can you|could you|would you|tell me|say|show me)"
    r"[,!.]?\s+){0,3}"
)
_KNOWN = (
    r"(?:know|remember|remembered|recall|learn(?:ed|t)?|stored?|saved?|memori[sz]ed?|"
    r"have (?:stored|saved|remembered))"
)
_SO_FAR = r"(?:\s+(?:so far|already|until now|right now|yet|exactly))?"
_ENGLISH = re.compile(
    rf"\W*{_POLITE}(?:"
    r"(?:what|how much|everything|anything|all|which things)(?:\s+(?:all|else|things|facts))?"
    rf"(?:\s+(?:do|have|did|that))?(?:\s+you)?(?:\s+(?:already|actually|currently|still|have|all|even))?\s+{_KNOWN}"
    r"(?:\s+(?:all|everything))?\s+(?:about|of|on)\s+(?:me|myself|us)"
    r"|(?:do\s+you\s+(?:still\s+)?)?(?:know|remember)\s+(?:me|who\s+I\s+am|anything\s+about\s+(?:me|us))"
    r"|who\s+am\s+I|(?:tell\s+me\s+)?(?:everything\s+|something\s+)?about\s+(?:me|myself)|describe\s+me"
    r"|what\s+(?:do|can)\s+you\s+(?:still\s+)?(?:remember|recall)"
    r"|what\s+have\s+(?:I\s+told\s+you|you\s+learned)(?:\s+about\s+(?:me|myself))?"
    rf"|summari[sz]e\s+(?:what|everything|all)\s+(?:that\s+)?you\s+{_KNOWN}\s+(?:about|of)\s+(?:me|us)"
    rf"){_SO_FAR}\W*",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"\W*(?:你好|嗨|请|请问|那|那么|告诉我|说说|[，,\s])*(?:"
    r"你?(?:现在|都|还)*(?:记得|知道|了解|记住了?|记了)(?:关于)?我的?"
    r"(?:些?什么|哪些.{0,4}|多少|吗|是谁|一切|所有.{0,4})?(?:事情?|信息)?"
    r"|你?(?:关于我|对我|对于我)[，,]?你?(?:都|还)*(?:记得|知道|了解|记住了?)(?:些?什么|哪些.{0,4}|多少|吗)?"
    r"|我是谁|介绍一下我|你(?:都|还)?记得(?:些?什么|哪些.{0,4})"
    r")(?:吗|呢|啊)?\W*"
)


def asks_what_is_known(text: str) -> bool:
    """Tell whether the whole of a text asks for all that is known of its author, in English or Chinese.

    >>> asks_what_is_known("What do you know about me?")
    True
    >>> asks_what_is_known("What do you know about my car?")
    False
    """
    return len(text) <= _MOST_CHARS and any(pattern.fullmatch(text) for pattern in (_ENGLISH, _CHINESE))
