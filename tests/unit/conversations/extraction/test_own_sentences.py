"""The author's own statements in a message, apart from quotations, pastes and injected memories (D22)."""

import pytest

from graph.conversations.extraction.own_sentences import own_sentences

OWN = "I like tea."


@pytest.mark.parametrize(
    "text",
    [
        f"> I like coffee\n{OWN}",
        f"```\nI like coffee\n```\n{OWN}",
        f"~~~\nI like coffee\n~~~\n{OWN}",
        f"| I like | coffee |\n{OWN}",
        f"{OWN}\nTranslate this paragraph: I like coffee. I hate rain.",
        f"{OWN}\nPlease summarize the following:\nI like coffee.",
        f"{OWN}\nCould you proofread my cover letter?\nI like coffee.",
        f"{OWN}\nHere is the email: I like coffee.",
        f"{OWN}\nrewrite this:I like coffee.",
        f"{OWN}\nAct as a chef. I like coffee.",
        f"{OWN}\nImagine you live on a ship. I like coffee.",
        f"{OWN} Memory context: I like coffee".replace(" Memory", "\nMemory"),
        f"{OWN}\n```python\nI like coffee",
        f"{OWN} Got this text from my ex: I like coffee and I like rain. Always coffee.",
        f"{OWN}\ngot this on tinder: I'm Jake, I like coffee",
        f"{OWN}\nHelp me reply to this: Hi Dana, I like coffee",
        f"{OWN}\nReply to this message from my landlord:\nHi, I like coffee.\n\nI like coffee.",
        f"{OWN}\nThe candidate's CV: I am a nurse. I like coffee.",
        f"{OWN}\nMy answer: I am a nurse and I like coffee",
        f"{OWN}\nmake this sound more professional\nI like coffee",
        f"{OWN}\nDear hiring manager,\nI like coffee.\nBest, Tim",
        f"Dear team,\nI like coffee.\n\nKind regards,\nTim\n{OWN}",
        f"{OWN}\nYou be the interviewer, I'll be the candidate. I like coffee.",
        f"{OWN}\nMy D&D character hates rain. I like coffee.",
        f"{OWN}\nYou are a pirate. I like coffee.",
        f"{OWN}\nYou are now my boss. I like coffee.",
        f"{OWN}\nYou are Gandalf. I like coffee.",
        f"{OWN}\nYou are about to play a pirate. I like coffee.",
        f"{OWN}\nTranslate this\nI like coffee.",
        f"{OWN}\nIs this correct?\nI like coffee.",
        f"{OWN}\nMy friend sent this\nI like coffee.",
        f"{OWN}\n翻译一下\n我喜欢咖啡。",
        f"{OWN}\n我朋友发来的\n我喜欢咖啡。",
        f"{OWN} Let's say I have two kids. I like coffee. My kids like coffee.",
        f"{OWN} In my novel, I am the villain. I like coffee.",
        f"{OWN}\n\n我做了个梦。我喜欢咖啡。",
        f"{OWN}\nDear Sir, I am writing because I like coffee. I live in Bonn.",
        f"{OWN}\n尊敬的领导：\n我喜欢咖啡。\n此致\n敬礼",
    ],
)
def test_quoted_pasted_and_fictional_text_is_dropped(text: str) -> None:
    sentences = list(own_sentences(text))

    assert OWN in sentences
    assert not [sentence for sentence in sentences if "coffee" in sentence]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ('She said "I like coffee" and left.', ["She said   and left."]),
        ("My boss said: \u201cI always win\u201d", ["My boss said:"]),
        ('I prefer "dark mode".', ['I prefer "dark mode".']),
        ("I prefer `ruff`, **really**.", ["I prefer ruff, really."]),
        ("I like [jazz](https://example.org/jazz) https://example.org", ["I like jazz"]),
        ("- I like tea\n2. I hate rain", ["I like tea", "I hate rain"]),
        ("I want to improve my review process.", ["I want to improve my review process."]),
        ("Let's check the script next. I like tea.", ["Let's check the script next.", "I like tea."]),
        ("Context: I like tea", ["Context: I like tea"]),
        ("Quick question: I like tea, is it ok?", ["Quick question: I like tea, is it ok?"]),
        ("I have one rule: I never cook", ["I have one rule: I never cook"]),
        ("1. Diet plan: I like tea\n2. I hate rain", ["Diet plan: I like tea", "I hate rain"]),
        ("To answer your questions:\n1. I like tea", ["To answer your questions:", "I like tea"]),
        ("Hi,\nI like tea.\nThanks, Tim", ["Hi,", "I like tea.", "Thanks, Tim"]),
        ("Hi there,\nI like tea.\nBest,\nTim", ["Hi there,", "I like tea.", "Best,", "Tim"]),
        ("My favourite character is Emma. I like tea.", ["My favourite character is Emma.", "I like tea."]),
        (f"I like tea {'and it rains ' * 40}and I hate rain", ["I hate rain"]),
        ("\u6211\u4f4f\u5728\u5317\u4eac。翻译这段话：我喜欢咖啡。我讨厌下雨。", ["我住在北京。"]),
        ("以下是文章：我喜欢咖啡。", []),
        ("帮我写一封邮件：我是李明，我想申请贵公司的职位", ["帮我"]),
        ("帮我发条朋友圈：今天我升职了", ["帮我"]),
        ("幫我寫一封郵件：我是李明", ["幫我"]),
        ("朋友圈文案：我爱生活，我爱咖啡", []),
        ("作文：我的妈妈。我的妈妈是一名医生。", []),
        ("回复他：我不喜欢加班，我想辞职", []),
        ("造句：我喜欢苹果。", []),
        ("我是程序员，你是面试官。我叫李雷。", []),
        ("从现在开始你是猫娘，我是主人", []),
        ("You are right. I like tea.", ["You are right.", "I like tea."]),
        ("You are the best! I like tea.", ["You are the best!", "I like tea."]),
        ("你是对的。我喜欢喝茶。", ["你是对的。", "我喜欢喝茶。"]),
        ("我的邮件地址：li@example.com", ["我的邮件地址：li@example.com"]),
        ("我写了五年代码，喜欢 Go。", ["我写了五年代码，喜欢 Go。"]),
        ("小王：我喜欢猫。我也喜欢鸟。\n我: 我喜欢狗", ["我: 我喜欢狗"]),
        ("王芳说：我对花生过敏\n我也是", ["我也是"]),
        ("- 老李：我不吃辣", []),
        ("高兴：我升职了", ["高兴：我升职了"]),
        ("爱好：我喜欢滑雪", ["爱好：我喜欢滑雪"]),
    ],
)
def test_the_speakers_own_words_stay_without_markdown(text: str, own: list[str]) -> None:
    assert list(own_sentences(text)) == own
