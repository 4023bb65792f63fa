"""The rules on whole messages: precise rather than greedy (D21, D22, D24, D25, D26, D33)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import BROAD, EXPLICIT, HEDGED, INFERRED, Polarity
from graph.conversations.extraction.reading import facts_in_message

KEPT = 0.6


def read(text: str, role: MessageRole | None = MessageRole.USER, speaker: str | None = None):
    return facts_in_message(text, role=role, speaker=speaker)


def kept(text: str) -> list[tuple[str, str]]:
    return [(fact.category.value, fact.content) for fact in read(text) if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    ("text", "category", "content"),
    [
        ("I prefer aisle seats.", "preference", "The user prefers aisle seats"),
        ("I prefer quiet, sunny flats.", "preference", "The user prefers quiet, sunny flats"),
        ("I can't stand small talk.", "preference", "The user cannot stand small talk"),
        ("I've decided not to renew the lease.", "decision", "The user has decided not to renew the lease"),
        ("We settled on a budget of 900.", "decision", "The user settled on a budget of 900"),
        ("I never answer mail at night.", "pattern", "The user never answers mail at night"),
        ("I often work late.", "pattern", "The user often works late"),
        ("My name is Nadia.", "personal", "The user's name is Nadia"),
        ("So, I live near the harbour.", "personal", "The user lives near the harbour"),
        ("I'm a nurse.", "career", "The user is a nurse"),
        ("I'm allergic to nuts.", "health", "The user is allergic to nuts"),
        ("I'm planning a cycling trip.", "plan", "The user is planning a cycling trip"),
        ("I cycle to work.", "activity", "The user cycles to work"),
        ("I've been playing the violin for years.", "activity", "The user has been playing the violin for years"),
        ("I have a peanut allergy.", "health", "The user has a peanut allergy"),
        ("I have type 2 diabetes and take metformin daily.", "health",
         "The user has type 2 diabetes and takes metformin daily"),
        ("My husband and I are vegan.", "health", "The user (and their husband) is vegan"),
        ("My wife Anna and I live in Lisbon.", "personal", "The user (and their wife Anna) lives in Lisbon"),
        ("I have two kids, Max (7) and Ella (4).", "personal", "The user has two kids, Max (7) and Ella (4)"),
        ("I'm Priya, a product designer in Sydney.", "personal", "The user is Priya, a product designer in Sydney"),
        ("We both love seafood.", "preference", "The user loves seafood"),
        ("I own a folding bike.", "personal", "The user owns a folding bike"),
        ("I've never been to Asia.", "personal", "The user has never been to Asia"),
        ("My email is sam@example.com.", "personal", "The user's email is sam@example.com"),
        ("I work as a nurse at St. Mary's in Dublin.", "career", "The user works as a nurse at St. Mary's in Dublin"),
        ("I've been learning Rust for three months.", "career", "The user has been learning Rust for three months"),
        ("I'd rather you call me Sam.", "personal", "The user is called Sam"),
        ("You can call me Kit.", "personal", "The user is called Kit"),
        ("My phone number changed, it's 555 0199 now.", "personal",
         "The user's phone number changed, it's 555 0199 now"),
        ("My 5-year-old is obsessed with dinosaurs.", "personal",
         "The user's 5-year-old is obsessed with dinosaurs"),
        ("I take 20 mg of lisinopril for blood pressure.", "health",
         "The user takes 20 mg of lisinopril for blood pressure"),
        ("My boyfriend and I broke up yesterday.", "personal", "The user (and their boyfriend) broke up yesterday"),
        ("I've been married for 12 years.", "personal", "The user has been married for 12 years"),
        ("My landlord raised the rent to 1,450.", "personal", "The user's landlord raised the rent to 1,450"),
        ("I lost my job in the layoffs.", "career", "The user lost their job in the layoffs"),
        ("I got promoted last week.", "career", "The user got promoted last week"),
        ("I work night shifts.", "career", "The user works night shifts"),
        ("I teach chemistry at a high school.", "career", "The user teaches chemistry at a high school"),
        ("I finished my PhD in 2019 at ETH.", "career", "The user finished their PhD in 2019 at ETH"),
        ("We hired Amira!", "decision", "The user hired Amira"),
        ("I support Arsenal.", "preference", "The user supports Arsenal"),
        ("I told you I'm vegan!", "health", "The user is vegan"),
        ("I'm on a keto diet.", "health", "The user is on a keto diet"),
        ("I've stopped using Slack.", "pattern", "The user has stopped using Slack"),
        ("我下个月要搬到深圳去了。", "plan", "用户下个月要搬到深圳去了"),
        ("我在一家游戏公司做策划。", "career", "用户在一家游戏公司做策划"),
        ("I switched from VS Code to Neovim.", "decision", "The user switched from VS Code to Neovim"),
        ("My manager, Priya Nair, wants updates on Fridays.", "career",
         "The user's manager, Priya Nair, wants updates on Fridays"),
        ("I'm the head of marketing at Acme.", "career", "The user is the head of marketing at Acme"),
        ("I'm going to Paris in May with my sister.", "plan", "The user is going to Paris in May with their sister"),
        ("I'm trying to learn the guitar, any tips?", "plan", "The user is trying to learn the guitar"),
        ("I hate it when meetings run over.", "preference", "The user hates it when meetings run over"),
        ("I'm afraid of flying.", "preference", "The user is afraid of flying"),
        ("我喜欢安静的咖啡馆。", "preference", "用户喜欢安静的咖啡馆"),
        ("我决定搬到海边的城市。", "decision", "用户决定搬到海边的城市"),
        ("我每天六点起床。", "pattern", "用户每天六点起床"),
        ("我住在成都。", "personal", "用户住在成都"),
        ("我是一名护士。", "career", "用户是一名护士"),
        ("我对海鲜过敏。", "health", "用户对海鲜过敏"),
        ("我计划明年去旅行。", "plan", "用户计划明年去旅行"),
        ("我骑自行车上班。", "activity", "用户骑自行车上班"),
        ("我下个月要去日本出差。", "plan", "用户下个月要去日本出差"),
        ("我的邮箱是 li@example.com。", "personal", "用户的邮箱是 li@example.com"),
        ("我会说英语和日语。", "personal", "用户会说英语和日语"),
        ("我们团队用 Kubernetes 部署。", "career", "用户团队用 Kubernetes 部署"),
    ],
)  # fmt: skip
def test_statements_about_oneself_are_kept(text: str, category: str, content: str) -> None:
    """D21, D26, D33: each topic, in the language of the message."""
    assert kept(text) == [(category, content)]


@pytest.mark.parametrize(
    "text",
    [
        "Translate this paragraph: I live in Paris.",
        "I want you to write a poem about autumn.",
        "I need a list of ten verbs.",
        "I like the second version better.",
        "Please call me back later.",
        "Call me tomorrow.",
        "My 10-year-old laptop is slow.",
        "My phone changed my life.",
        "I broke up the sentence into two parts.",
        "I support your idea.",
        "I told you so.",
        "我在学校门口等你。",
        "I'll use that, thanks.",
        "I'll use the first draft for now.",
        "If I were a teacher, I would give less homework.",
        "Do I always need a visa?",
        "How do I tell whether I have a fever?",
        'She said "I love sushi".',
        "In the story, my character always wears red.",
        "I always get this error.",
        "I never said that.",
        "I'd like to see the whole table.",
        "He lives in Berlin and prefers tea.",
        "I love how you phrased that.",
        "My business name is",
        "My brother and I.",
        "I'm OK, thanks.",
        "I own the copyright.",
        "I have a question about a nut allergy.",
        "I've been running this script for hours.",
        "I'm going to the store for milk.",
        "请把这句话翻译成英文：我喜欢猫。",
        "如果我是老师，我会少留作业。",
        "我应该用哪个版本？",
        "我选第二个。",
        "他住在北京，喜欢喝茶。",
    ],
)
def test_momentary_requests_and_quotations_are_not_kept(text: str) -> None:
    """D22."""
    assert kept(text) == []


def test_a_statement_in_front_of_a_question_counts() -> None:
    assert kept("I'm lactose intolerant, what can I bake?") == [("health", "The user is lactose intolerant")]
    for text in ("我对花生过敏，有什么推荐？", "我对花生过敏，请推荐一家餐厅。"):
        assert kept(text) == [("health", "用户对花生过敏")]


def test_clauses_are_joined_only_for_the_same_subject() -> None:
    """D25."""
    assert kept("I love hiking but I hate running, and I work as a cook.") == [
        ("preference", "The user loves hiking"),
        ("preference", "The user hates running"),
        ("career", "The user works as a cook"),
    ]
    assert kept("My wife is a judge and my son plays chess.") == [
        ("personal", "The user's wife is a judge and their son plays chess")
    ]


def test_a_plain_statement_has_more_confidence_than_a_hedge_or_a_question() -> None:
    """D24: asking how to do something with a tool implies using it."""
    confidences = {
        text: [fact.confidence for fact in read(text)]
        for text in (
            "I prefer tea.",
            "I think I prefer tea.",
            "How do I write a loop in Rust?",
            "I'd love to hear more from you.",
            "I want a bigger kitchen.",
        )
    }

    assert list(confidences.values()) == [[EXPLICIT], [HEDGED], [INFERRED], [], [BROAD]]
    assert [fact.content for fact in read("How do I write a loop in Rust?")] == ["The user uses Rust"]


def test_dislikes_are_negative_facts() -> None:
    """D18: the text states the dislike, and the key names its object."""
    (fact,) = read("I really don't like crowded beaches.")

    assert (fact.object, fact.polarity) == ("crowded beaches", Polarity.NEGATIVE)
    assert fact.content == "The user really does not like crowded beaches"
    assert fact.key == "preference:crowded_beaches"


NEGATED = [
    ("I never commute", "The user never commutes"),
    ("I never skip tests.", "The user never skips tests"),
    ("I don't always write tests first.", "The user does not always write tests first"),
    ("I don't usually drink coffee.", "The user does not usually drink coffee"),
    ("I no longer use Vim.", "The user no longer uses Vim"),
    ("I don't use Vim anymore.", "The user does not use Vim anymore"),
    ("I'd never use tabs.", "The user would never use tabs"),
    ("I don't like Python.", "The user does not like Python"),
    ("I dont like Python.", "The user does not like Python"),
    ("I've never liked mushrooms.", "The user has never liked mushrooms"),
    ("I'm not a fan of jazz.", "The user is not a fan of jazz"),
    ("I can't stand noise.", "The user cannot stand noise"),
    ("My favourite colour is not red.", "The user's favourite colour is not red"),
    ("I won't use Postgres.", "The user will not use Postgres"),
    ("I decided not to use Redis.", "The user decided not to use Redis"),
    ("I've decided against Redis.", "The user has decided against Redis"),
    ("I don't eat meat.", "The user does not eat meat"),
    ("I am not allergic to peanuts.", "The user is not allergic to peanuts"),
    ("I'm no longer vegan.", "The user is no longer vegan"),
    ("I have no allergies.", "The user has no allergies"),
    ("I'm not married.", "The user is not married"),
    ("I have no siblings.", "The user has no siblings"),
    ("I don't speak German.", "The user does not speak German"),
    ("I no longer live in Paris.", "The user no longer lives in Paris"),
    ("I don't work as a nurse anymore.", "The user does not work as a nurse anymore"),
    ("My wife isn't a judge.", "The user's wife isn't a judge"),
    ("我不喜欢咖啡。", "用户不喜欢咖啡"),
    ("我不太喜欢下雨天。", "用户不太喜欢下雨天"),
    ("我从不喝酒。", "用户从不喝酒"),
    ("我从来不抽烟。", "用户从来不抽烟"),
    ("我不再喝咖啡了。", "用户不再喝咖啡了"),
    ("我不总是吃早餐。", "用户不总是吃早餐"),
    ("我对花生不过敏。", "用户对花生不过敏"),
    ("我不吃肉。", "用户不吃肉"),
    ("我没有孩子。", "用户没有孩子"),
    ("我没结婚。", "用户没结婚"),
    ("我不住在北京。", "用户不住在北京"),
    ("我决定不用Redis。", "用户决定不用Redis"),
    ("我不打算买车。", "用户不打算买车"),
    ("我不在谷歌工作了。", "用户不在谷歌工作了"),
    ("我最喜欢的颜色不是红色。", "用户最喜欢的颜色不是红色"),
]


@pytest.mark.parametrize(("text", "content"), NEGATED)
def test_a_denial_stays_negative(text: str, content: str) -> None:
    """D18: in both languages, by any rule."""
    (fact,) = read(text)

    assert (fact.content, fact.polarity) == (content, Polarity.NEGATIVE)


@pytest.mark.parametrize("text", ["I don't hate Mondays.", "I don't mind rain.", "我并不讨厌下雨。"])
def test_a_double_negative_is_not_extracted(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I want a bigger kitchen.", "The user wants a bigger kitchen"),
        ("I went with the nodeless design.", "The user went with the nodeless design"),
        ("I hardly ever cook.", "The user hardly ever cooks"),
        ("我不得不每天通勤，我喜欢不辣的菜。", "用户喜欢不辣的菜"),
    ],
)
def test_statements_that_resemble_denials_are_affirmative(text: str, content: str) -> None:
    (fact,) = read(text)

    assert (fact.content, fact.polarity) == (content, Polarity.POSITIVE)


def test_denied_and_affirmed_clauses_are_separate_facts() -> None:
    assert kept("My wife is a judge and my son doesn't play chess.") == [
        ("personal", "The user's wife is a judge"),
        ("personal", "The user's son doesn't play chess"),
    ]


def test_people_are_distinguished_by_name() -> None:
    ada, bob = (read("I prefer tea.", role=None, speaker=name) for name in ("Ada", "Bob"))

    assert [fact.content for fact in (*ada, *bob)] == ["Ada prefers tea", "Bob prefers tea"]
    assert len({fact.key for fact in (*ada, *bob)}) == 2
    assert [fact.content for fact in read("I prefer tea.", speaker="user")] == ["The user prefers tea"]


def test_facts_about_an_assistant_have_less_confidence() -> None:
    """D11, D29: only about itself; courtesy, questions and its hosting are ignored."""
    text = "I'll use Postgres for this project. I like your idea. I live in a cloud. I prefer it. Shall I always ask?"

    facts = read(text, MessageRole.ASSISTANT)

    assert [(fact.key, fact.content, fact.subject, fact.confidence) for fact in facts] == [
        (
            "assistant:decision:postgres_for_this_project",
            "The assistant will use Postgres for this project",
            "assistant",
            INFERRED,
        )
    ]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Got it, you prefer quiet hotels.", "The user prefers quiet hotels"),
        ("As you said, you don't like Python.", "The user does not like Python"),
        ("You mentioned that you live in Oslo.", "The user lives in Oslo"),
        ("You're allergic to peanuts, so I left them out.", "The user is allergic to peanuts"),
        ("Your favourite colour is green.", "The user's favourite colour is green"),
        ("You are allergic to nuts.", "The user is allergic to nuts"),
        ("Noted: your name is Bob.", "The user's name is Bob"),
    ],
)
def test_an_assistants_conclusions_have_less_confidence(text: str, content: str) -> None:
    """D24."""
    (fact,) = read(text, MessageRole.ASSISTANT)

    assert (fact.content, fact.subject, fact.confidence) == (content, "user", INFERRED)


@pytest.mark.parametrize(
    "text",
    [
        "You should always use tabs.",
        "You always need a visa.",
        "If you like tea, you love matcha.",
        "Would you like tea?",
        "When you work at night, you like coffee.",
        "In this story, you live in Oslo.",
        "For example: you live in Oslo.",
        "Scenario: you live in Oslo.",
        "Your name is not known to me.",
        "Your favorite color is unknown to me.",
        "Your name is too short.",
        "Your name is Required.",
    ],
)
def test_an_assistants_advice_gives_no_facts_about_the_user(text: str) -> None:
    assert read(text, MessageRole.ASSISTANT) == []


@pytest.mark.parametrize(
    "text",
    [
        "My sister said, I love tea.",
        'She said "I hate tea".',
        "She said I hate tea.",
        "She said, I hate tea.",
        "Bob told me: I live in Oslo.",
        "Bob: I love tea.\nAnn: I hate tea.",
        "I live in Oslo, said Bob.",
        "\u201cI like tea,\u201d he said.",
        "My friend thinks I like tea.",
        "If I moved to Berlin, I'd rather cycle.",
        "I'd never drive if I lived in Berlin.",
        "If I moved to Berlin",
        "Do I like tea?",
        "Do I like tea",
        "I wish I lived in Oslo.",
        "```\nI like tea.\n```",
        "<pre>I like tea.\nI live in Oslo.</pre>",
        "From: Bob <b@example.org>\nSubject: hi\n\nI live in Oslo. I like tea.",
        "On Monday Bob wrote:\nI like tea.",
        "---------- Forwarded message ---------\nI like tea.",
        "她说，我喜欢茶。",
        "她说：\u201c我喜欢茶。\u201d",
        "他说我喜欢茶。",
        "如果我搬到柏林，我会骑车。",
        "要是我住在柏林，我就每天骑车。",
        "我喜欢茶吗？",
        "小王写道：\n我喜欢茶。",
    ],
)
def test_statements_of_others_and_suppositions_are_not_facts_of_the_user(text: str) -> None:
    """D22."""
    assert kept(text) == []


def test_a_statement_about_another_person_is_a_fact_of_that_person() -> None:
    assert kept("My sister loves tea.") == [("personal", "The user's sister loves tea")]
    assert kept("我妹妹喜欢茶。") == [("personal", "用户妹妹喜欢茶")]


@pytest.mark.parametrize("role", [MessageRole.SYSTEM, MessageRole.TOOL])
def test_system_and_tool_messages_give_no_facts(role: MessageRole) -> None:
    assert read("I prefer tea.", role) == []


def test_facts_of_a_message_are_sorted_by_confidence() -> None:
    """D25."""
    unsure = "I want a big garden."
    text = " ".join([unsure, *(f"I love hobby number {number}." for number in range(12))])

    facts = read(text)

    assert [fact.confidence for fact in facts] == [EXPLICIT] * 12 + [BROAD]
