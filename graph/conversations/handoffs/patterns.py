"""What sentences of English and Chinese conversations look like that say something worth handing on."""

import re


def _either(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})|{chinese}", re.IGNORECASE)


POLITE = _either(
    r"(?:thanks|thank you|many thanks|okay|ok|great|perfect|cool|nice|sure|got it|sounds good|of course|"
    r"you're welcome|hello|hi|hey|good (?:morning|evening)|hope (?:this|that) helps|glad to|happy to help|"
    r"(?:is there )?anything else)\b",
    r"谢谢|多谢|好的|明白|不客气|你好|您好|还有什么|还有其他",
)
WHO = _either(
    r"(?:i am|i'm|i was) (?!sorry|afraid|sure|not sure|glad|happy|wondering|thinking|just|trying|looking|asking|"
    r"going to)\w|i (?:work|live|study|teach|run|own|lead|manage)\b|i(?:'ve been| have been|'ve got)\b"
    r"|(?:i|we) have (?:an?|no|one|two|three|four|five|\d+)\b|we(?:'re| are) an?\b"
    r"|my (?:name|job|role|team|company|family|wife|husband|partner|kids?|child(?:ren)?|son|daughter|dogs?|cats?|"
    r"home|house|flat|apartment|background|degree|field|budget)\b",
    r"我(?:是|叫|住|来自|从事|在.{1,8}(?:工作|上学|读书)|有[一两二三四五\d]|"
    r"的(?:工作|职业|公司|团队|家|名字|专业|孩子|妻子|丈夫|预算))|我们(?:是|公司|团队)",
)
DECIDED = _either(
    r"(?:let's (?:go with|use|take)|(?:i'm|we're) going to (?:adopt|use)|it is (?:decided|settled|agreed))\b",
    r"决定|选择了|选了|采用|改用|定了|敲定|就用",
)
PLANNED = _either(
    r"(?:i'll|i will|we'll|we will|(?:i'm|i am|we're|we are) (?:going to|planning|moving|travell?ing|starting)|"
    r"(?:i|we) (?:plan|intend|want|hope|would like) to|the plan is)\b",
    r"打算|计划|准备|将要|将会|想要|要搬|下周|下个月|明天|明年",
)
PREFERRED = _either(
    r"(?:i|we) (?:really )?(?:like|love|prefer|hate|avoid)\b|my favou?rite\b|allergic to\b",
    r"喜欢|偏好|更愿意|习惯|讨厌|不吃|过敏|总是|从不|通常",
)
TOLD_TO_DO = re.compile(
    r"(?:do not|don't|never|always|act|add|answer|assume|change|continue|consider|convert|create|describe|elaborate|"
    r"ensure|explain|fix|follow|format|generate|give|help|ignore|imagine|include|keep|let|list|make|must|now|pretend|provide|"
    r"remove|respond|rewrite|show|summari[sz]e|tell|translate|use|write)\b|请|帮|给我|写|翻译|解释|总结|不要",
    re.IGNORECASE,
)
"""How a sentence begins that tells the assistant what to do, once."""
SMALL_TALK = re.compile(
    r"I(?:'m| am) (?:\w+ )?(?:glad|happy|sorry|here)\b|I (?:\w+ )?(?:understand|see|love|like|apologi[sz]e|hope)\b|"
    r"(?:here|below) (?:is|are)\b|feel free\b|我(?:理解|明白|很高兴|希望)",
    re.IGNORECASE,
)
"""How an assistant's sentence begins that says nothing."""
DUTY = _either(
    r"(?:needs?|have|has) to\b|must\b|should\b",
    r"需要(?![约\d一二两三四五六七八九十百千万几])|必须|还要",
)
OPEN = _either(
    r"(?:to-?do\b|still (?:need|have|open|missing|waiting|to)\b|"
    r"not (?:yet|decided|clear|done|sure (?:if|whether|which|how|what))\b|haven't\b|hasn't\b|"
    r"remains? (?:open|unclear|to)\b|open (?:question|item|issue|point)s?\b|pending\b|waiting (?:for|on)\b|"
    r"don't forget\b|remember to\b|follow up\b|unclear\b|undecided\b|tbd\b)|\bnot .{1,40} yet\b",
    r"还没|尚未|未定|待办|记得|别忘|待确认|不确定|还需要",
)
DONE = _either(
    r"(?:done|finished|completed|fixed|solved|resolved|works? now|working now|deployed|merged|shipped|booked|"
    r"bought|ordered|sent|signed|paid|cancell?ed|installed|migrated)\b",
    r"完成|搞定|解决了|修复了|修好|办好|订好|买好|上线了|签了|付了",
)
NEGATED = _either(
    r"(?:not|never|no|yet|still|to be|needs?|must|should|will)\b|\w+n't\b", r"没|未|还|需要|必须"
)
