"""Statements about health, past and work in many wordings, each with its category (D21, D24)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import Fact
from graph.conversations.extraction.reading import facts_in_message

KEPT = 0.6


def read(text: str, role: MessageRole = MessageRole.USER) -> list[Fact]:
    return [fact for fact in facts_in_message(text, role=role, speaker=None) if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    ("text", "category", "content"),
    [
        ("I'm a type 1 diabetic.", "health", "The user is a type 1 diabetic"),
        ("I have a doctor's appointment in Ghent", "plan", "The user has a doctor's appointment in Ghent"),
        ("I have my driving test soon", "plan", "The user has their driving test soon"),
        ("We're moving on May 1.", "plan", "The user is moving on May 1"),
        ("I can't eat nuts, my daughter can.", "health", "The user cannot eat nuts"),
        ("My coach is called Renske, she is Dutch.", "personal", "The user's coach is called Renske, she is Dutch"),
        ("My cleaner's name is Oksana.", "personal", "The user's cleaner's name is Oksana"),
        ("My two nephews are called Sam and Ole.", "personal", "The user's two nephews are called Sam and Ole"),
        ("My shoe size is 43", "personal", "The user's shoe size is 43"),
        ("I wear size 43 shoes.", "personal", "The user wears size 43 shoes"),
        ("I have a bad left knee", "health", "The user has a bad left knee"),
        ("My lower back hurts when I sit.", "health", "The user's lower back hurts when they sit"),
        ("I pulled my left hamstring.", "health", "The user pulled their left hamstring"),
        ("I'm severely lactose intolerant.", "health", "The user is severely lactose intolerant"),
        ("I'm a chef in vegan restaurants.", "career", "The user is a chef in vegan restaurants"),
        ("I ruptured my achilles in 2020.", "health", "The user ruptured their achilles in 2020"),
        ("I gave up smoking in January.", "health", "The user gave up smoking in January"),
        ("Allergic to cats, sadly.", "health", "The user is allergic to cats, sadly"),
        ("Vegan here, 34, living in Ghent", "health", "The user is vegan, 34, living in Ghent"),
        ("Both my kids are allergic to eggs", "personal", "Both of the user's kids are allergic to eggs"),
        ("aspirin gives me hives", "health", "Aspirin gives the user hives"),
        ("I react badly to ibuprofen", "health", "The user reacts badly to ibuprofen"),
        ("I can't take NSAIDs", "health", "The user cannot take NSAIDs"),
        ("I can't have dairy", "health", "The user cannot have dairy"),
        ("I take metformin and atorvastatin", "health", "The user takes metformin and atorvastatin"),
        ("I had a stroke in 2019", "health", "The user had a stroke in 2019"),
        ("I used to be a smoker", "health", "The user used to be a smoker"),
        ("My friends call me Al", "personal", "The user's friends call the user Al"),
        ("we just had a baby girl, Mila", "personal", "The user just had a baby girl, Mila"),
        ("ok so basically im a nurse in leeds", "career", "The user is a nurse in leeds"),
        ("I have hay fever", "health", "The user has hay fever"),
        ("I have HIV", "health", "The user has HIV"),
        ("I have dyslexia", "health", "The user has dyslexia"),
        ("I have a pacemaker", "health", "The user has a pacemaker"),
        ("I'm on metformin", "health", "The user is on metformin"),
        ("I'm on Elvanse 30mg", "health", "The user is on Elvanse 30mg"),
        ("I'm a cancer survivor", "health", "The user is a cancer survivor"),
        ("I'm an ex-smoker", "health", "The user is an ex-smoker"),
        ("I'm an atheist", "personal", "The user is an atheist"),
        ("I'm a heavy sleeper", "personal", "The user is a heavy sleeper"),
        ("I'm an avid gamer", "activity", "The user is an avid gamer"),
        ("I'm a Taylor Swift fan", "preference", "The user is a Taylor Swift fan"),
        ("I'm a truck driver", "career", "The user is a truck driver"),
        ("I'm a backend dev", "career", "The user is a backend dev"),
        ("I'm CEO of a small company", "career", "The user is CEO of a small company"),
        ("I'm in sales", "career", "The user is in sales"),
        ("I worked at IBM from 2001 to 2010", "career", "The user worked at IBM from 2001 to 2010"),
        ("I was a nurse for 20 years", "career", "The user was a nurse for 20 years"),
        ("I changed jobs, now at Stripe", "career", "The user changed jobs, now at Stripe"),
        ("I used to live in Paris", "personal", "The user used to live in Paris"),
        ("As a child, I lived in Kenya", "personal", "The user lived in Kenya, as a child"),
        ("I have kids", "personal", "The user has kids"),
        ("I don't have a car", "personal", "The user does not have a car"),
        ("I don't have siblings", "personal", "The user does not have siblings"),
        ("Based in Nairobi, working as a UX designer", "personal",
         "The user is based in Nairobi, working as a UX designer"),
        ("Name: Peter Novak", "personal", "The user's name is Peter Novak"),
        ("Allergies: peanuts", "health", "The user's allergies are peanuts"),
        ("I'm on parental leave until August", "career", "The user is on parental leave until August"),
        ("I've been doing judo since I was six.", "activity", "The user has been doing judo since they were six"),
        ("I work for a company which makes bikes.", "career", "The user works for a company which makes bikes"),
        ("My parents live in my house.", "personal", "The user's parents live in the user's house"),
        ("I'm allergic to nuts and carry an EpiPen.", "health", "The user is allergic to nuts and carries an EpiPen"),
        ("I'm a nurse - any tips?", "career", "The user is a nurse"),
        ("My wife is studying law in Bonn.", "personal", "The user's wife is studying law in Bonn"),
        ("I'm a dual citizen of Chile and Italy.", "personal", "The user is a dual citizen of Chile and Italy"),
        ("My visa expires on 31 March.", "plan", "The user's visa expires on 31 March"),
        ("We have two budgies and an old tortoise.", "personal", "The user has two budgies and an old tortoise"),
        ("I report to the CFO.", "career", "The user reports to the CFO"),
        ("Been pescatarian since uni.", "health", "The user has been pescatarian since uni"),
        ("Tore my ACL in 2018.", "health", "The user tore their ACL in 2018"),
        ("Got divorced two years ago.", "personal", "The user got divorced two years ago"),
        ("Type 1 diabetic here, 34", "health", "The user is type 1 diabetic, 34"),
        ("Our tortoise is called Biscuit and he's older than I am.", "personal",
         "The user's tortoise is called Biscuit and he's older than they are"),
        ("I'm the youngest of five, and the only girl too", "personal",
         "The user is the youngest of five, and the only girl too"),
        ("We keep kosher at home.", "health", "The user keeps kosher at home"),
        ("I go to bed at nine.", "pattern", "The user goes to bed at nine"),
        ("My work email is j@x.example, in case you need it.", "personal", "The user's work email is j@x.example"),
        ("Portuguese is my first language", "personal", "The user said: Portuguese is my first language"),
    ],
)  # fmt: skip
def test_a_statement_is_kept_under_its_topic(text: str, category: str, content: str) -> None:
    assert [(fact.category, fact.content) for fact in read(text)] == [(category, content)]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("I'm off sertraline since last month", ("health", "negative")),
        ("I'm not lactose intolerant.", ("health", "negative")),
        ("I'm not a vegetarian.", ("health", "negative")),
    ],
)
def test_a_denial_is_distinguished_from_a_partial_denial(text: str, denied: tuple[str, str]) -> None:
    """D18."""
    (fact,) = read(text)

    assert (fact.category, fact.polarity) == denied


def test_facts_that_differ_in_a_sign_are_two() -> None:
    """D20: formerly the second counted as a repetition of the first."""
    texts = ("I use C++.", "I use C#.", "My blood type is O+.", "My blood type is O-.", "My budget is $500.")

    assert [read(text)[0].key for text in texts] == [
        "career:uses_c_plus_plus",
        "career:uses_c_sharp",
        "health:blood_type_is_o_plus",
        "health:blood_type_is_o_minus",
        "plan:budget_is_dollar_500",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Allergic to cats?",
        "Based in Nairobi, the company makes shoes",
        "Vegan recipes please",
        "Name: required",
        "Name: String",
        "I can't have it both ways",
        "I can't take the next step",
        "I don't have a clue",
        "this gives me a headache",
        "I have a question",
        "no nuts please, I'm allergic",
        "I take the bus",
        "My boss emailed: I am leaving the company.",
        "I have a test failing in CI.",
        "I'm making a vegan cake.",
        "I'm writing about vegan food.",
        "I pulled my car over.",
        "I hurt my brother.",
        "We're moving on from this topic.",
        "My backend class is named UserStore and it fails.",
        "My new branch is called Fix-42.",
        "I hurt my chances with that.",
        "I gave up on that.",
        "people call me when it rains",
    ],
)
def test_similar_sentences_are_not_statements(text: str) -> None:
    """D22."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "content", "polarity"),
    [
        ("Don't ever use em dashes", "The user asked not to ever use em dashes", "negative"),
        ("Stop using em dashes", "The user asked not to use em dashes", "negative"),
        ("when i ask for code just give me the code",
         "The user asked to just give them the code when they ask for code", "positive"),
    ],
)  # fmt: skip
def test_reworded_requests_are_preferences(text: str, content: str, polarity: str) -> None:
    assert [(fact.content, fact.polarity) for fact in read(text)] == [(content, polarity)]


@pytest.mark.parametrize(
    "text", ["Stop asking and list the plan now", "Stop using that", "When I ask for help people give up"]
)
def test_momentary_orders_are_not_preferences(text: str) -> None:
    """D22."""
    assert read(text) == []


@pytest.mark.parametrize("text", ["Your name is required.", "Your favorite color is required by the form."])
def test_an_assistants_form_is_not_about_the_user(text: str) -> None:
    """D24."""
    assert read(text, MessageRole.ASSISTANT) == []
