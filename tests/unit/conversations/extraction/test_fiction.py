"""Requests for a text in somebody's voice, which state nothing about the author (issue 36, D22)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.reading import facts_in_message

KEPT = 0.6


def read(text: str) -> list[str]:
    return [fact.content for fact in facts_in_message(text, role=MessageRole.USER, speaker=None)]


def kept(text: str) -> list[str]:
    facts = facts_in_message(text, role=MessageRole.USER, speaker=None)
    return [fact.content for fact in facts if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    "text",
    [
        "Write a story in the first person: I am a pirate, I live on a ship and I hate parrots.",
        "Write a story in the first person. I am a pirate, I live on a ship and I hate parrots.",
        "Example persona for my novel: I am a baker. I live in Lyon and I have three sons.",
        "Tell me a story from the perspective of a cat. I hate water.",
        "Write a monologue for a grumpy baker. I've been a baker for forty years.",
        "Please compose a poem as if you were a sailor. I live at sea.",
        "Write a letter from a soldier to his mother. I live in a trench.",
        "Make up a diary entry by a teenager. My name is Tracy and I hate school.",
        "Invent a backstory for a warlock. I grew up in a swamp.",
        "Generate fake user bios. E.g. I'm Anna, I live in Rome and I love cats.",
        "Give me three sample reviews. I am a vegetarian and I live in Leeds.",
        "Could you write a song about a miner? I was born underground.",
        "Now answer as Sherlock Holmes. I live at 221B Baker Street.",
        "I want you to be a monk. I live in a cloister.",
        "Play the role of my landlord. I own this house and I hate noise.",
        "Here is the start of my novel. I was born in a lighthouse.",
        "My novel starts like this. I am called Ishmael. I work as a sailor.",
        "Write a speech as my late grandfather. I was born in Cork and I love whiskey.",
        "Translate I live in Rome and I have a dog into French.",
        "写一个第一人称的海盗故事。我住在船上，我讨厌鹦鹉。",
        "帮我写个海盗的故事，我是船长，我最讨厌鹦鹉。",
        "以一只猫的口吻写一段话，我讨厌水。",
        "來個角色扮演，你是醫生我是病人，我有糖尿病。",
        "帮我编个人设，我是钢琴家，我从小失明。",
        "替一位虚构的求职者写求职信，我是护士，我住在广州。",
        "生成十条酒店假评论，我是素食者。",
        "写个独白，寡妇说我丈夫死在了战场上，我一个人住。",
        "续写故事，我住在森林里，我哥哥是狼。",
        "我对坚果过敏用日语怎么说？",
        "把我住在罗马我有一只狗翻译成法语。",
    ],
)
def test_texts_in_another_voice_give_no_facts(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("I'm allergic to shellfish. Write me a story in which I am a fisherman and I live on a boat.",
         ["The user is allergic to shellfish"]),
        ("I work as a translator, and I'd like a story about a translator who goes mad.",
         ["The user works as a translator"]),
        ("Tell me a joke. By the way, I moved to Oslo last month.", ["The user moved to Oslo last month"]),
        ("Write me a story about space.\n\nI live in Ghent.", ["The user lives in Ghent"]),
        ("Write a cover letter for me. I live in Kent.", ["The user lives in Kent"]),
        ("Write a letter to my landlord. I live in flat 4B.", ["The user lives in flat 4B"]),
        ("Write a poem for my wife. She is a nurse.", ["The user's wife is a nurse"]),
        ("My novel is about bees. I live in Cork.", ["The user's novel is about bees", "The user lives in Cork"]),
        ("Write to him as my father is ill. I live in Cork.", ["The user lives in Cork"]),
        ("I play role-playing games every Friday.", ["The user plays role-playing games every Friday"]),
        ("I love writing stories in the first person.", ["The user loves writing stories in the first person"]),
        ("给我女儿写一首生日诗吧，她叫朵朵。", ["用户女儿叫朵朵"]),
        ("帮我写封求职信，我住在广州。", ["用户住在广州"]),
        ("讲个笑话。对了，我住在青岛。", ["用户住在青岛"]),
        ("我喜欢写第一人称的小说。", ["用户喜欢写第一人称的小说"]),
        ("我每周五玩角色扮演游戏。", ["用户每周五玩角色扮演游戏"]),
    ],
)  # fmt: skip
def test_the_authors_own_statements_beside_fiction_are_kept(text: str, contents: list[str]) -> None:
    assert kept(text) == contents
