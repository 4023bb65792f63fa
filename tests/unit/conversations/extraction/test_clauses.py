"""Clauses of a sentence, each with its subject, condition and speaker (D21, D22, D25)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.reading import facts_in_message

KEPT = 0.6


def kept(text: str, speaker: str | None = None) -> list[str]:
    facts = facts_in_message(text, role=MessageRole.USER, speaker=speaker)
    return [fact.content for fact in facts if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("{s}'s brother lives in Spain|{s} lives in Oslo", "My brother lives in Spain and I live in Oslo"),
        ("{s}'s son is 5|{s} is 40", "My son is 5 and I'm 40"),
        ("{s}'s wife Claire is a pediatrician|{s} has a son, Hugo",
         "My wife Claire is a pediatrician and we have a son, Hugo"),
        ("{s}'s budget is 2k|{s} wants to visit Japan", "My budget is 2k and I want to visit Japan"),
        ("{s}'s dog is 12|{s} lives alone", "My dog is 12 and I live alone"),
        ("{s} lives in Oslo and their brother lives in Spain|{s} grew up in Rome",
         "I live in Oslo and my brother lives in Spain and I grew up in Rome"),
        ("{s} is 40 and their son is 5", "I'm 40 and my son is 5"),
        ("{s}'s wife is a judge and their son plays chess", "My wife is a judge and my son plays chess"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("speaker", "subject"), [(None, "The user"), ("Ada", "Ada")])
def test_a_statement_about_another_is_not_a_fact_of_the_speaker(
    told: str, text: str, speaker: str | None, subject: str
) -> None:
    """D25: two facts if the second clause has another subject."""
    assert kept(text, speaker) == told.format(s=subject).split("|")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("my timezone is CET", "The user's timezone is CET"),
        ("I take 50mg of sertraline", "The user takes 50mg of sertraline"),
        ("I'm on 20 mg of omeprazole", "The user is on 20 mg of omeprazole"),
        ("I'm 68kg", "The user is 68kg"),
        ("So,I live in Oslo", "The user lives in Oslo"),
    ],
)
def test_optional_spaces_may_be_missing(text: str, content: str) -> None:
    """D21."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("When I'm stressed, I smoke", "The user smokes, when they are stressed"),
        ("When I'm stressed I smoke", "The user smokes, when they are stressed"),
        ("Unless I'm travelling, I work from home", "The user works from home, unless they are travelling"),
        ("In Germany, I always pay cash", "The user always pays cash, in Germany"),
        ("At my old job, I always worked late", "The user always worked late, at their old job"),
        ("As a child, I always hated fish", "The user always hated fish, as a child"),
        ("Until last year, I never wore glasses", "The user never wore glasses, until last year"),
        ("On weekends, I work as a barista", "The user works as a barista, on weekends"),
        ("If it rains, I drive to work", "The user drives to work, if it rains"),
        ("Every Sunday, I call my mother", "The user calls their mother, every Sunday"),
        ("On Mondays, my wife works from home", "The user's wife works from home, on Mondays"),
        ("If I eat nuts I get hives", "The user gets hives, if they eat nuts"),
        ("Nowadays I work from home", "The user works from home, nowadays"),
        ("Normally, I work nights", "The user works nights, normally"),
        ("In general, I prefer tea", "The user prefers tea"),
        ("As a matter of fact, I hate beer", "The user hates beer"),
        ("Before I forget, I'm vegan", "The user is vegan"),
    ],
)
def test_conditions_stay_with_their_statement(text: str, content: str) -> None:
    """D22: a clause that limits nothing is omitted."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("Here's my situation: I have two kids", ["The user has two kids"]),
        ("Two things: I'm vegan and I hate mushrooms", ["The user is vegan", "The user hates mushrooms"]),
        (
            "My rule: I never work weekends. I live in Rome.",
            ["The user never works weekends", "The user lives in Rome"],
        ),
        ("To be clear: I don't eat pork", ["The user does not eat pork"]),
        ("I have one rule: I never cook", ["The user never cooks"]),
    ],
)
def test_the_announcement_of_a_note_is_dropped(text: str, contents: list[str]) -> None:
    """D21."""
    assert kept(text) == contents


def test_a_limit_in_the_middle_of_a_sentence_belongs_to_the_following_clause() -> None:
    assert kept("In the morning, I drink coffee, and in the evening I drink tea") == [
        "The user drinks coffee, in the morning",
        "The user drinks tea, in the evening",
    ]
    assert kept("I live in Rome, and when I'm stressed, I smoke") == [
        "The user lives in Rome",
        "The user smokes, when they are stressed",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "In my novel, I live on Mars",
        "In the story, I live in Rome and I hate dust",
        "In this scenario, I'm a nurse",
        "In my dnd campaign I'm a nurse",
        "Once upon a time I lived in a castle",
        "For the sake of argument, I'm a nurse",
        "Suppose I'm rich, I live in Rome",
        "If I were a nurse, I always work nights",
        "As a customer, I want to save my cart",
        "As an admin I need to see all orders",
        "As a registered user, I use two-factor login",
        "As an AI, I prefer not to say",
        "Not because I hate people",
        "Just because I'm a nurse doesn't mean I like blood",
        "Only because I'm pregnant",
    ],
)
def test_pretended_supposed_and_denied_statements_are_not_facts(text: str) -> None:
    """D22."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("I left early, not because I hate parties", []),
        ("I'm a nurse but that doesn't mean I like blood", ["The user is a nurse"]),
        ("I moved to Oslo not only because I love snow but also because my wife is from here",
         ["The user moved to Oslo", "The user loves snow", "The user's wife is from here"]),
        ("I'm vegetarian, not because of animals but because I hate meat",
         ["The user is vegetarian, not because of animals", "The user hates meat"]),
        ("I moved to Oslo because I love snow", ["The user moved to Oslo", "The user loves snow"]),
        ("My ex claims that I drink too much and I smoke weed", []),
        ("My ex claims that I drink too much but I smoke weed", ["The user smokes weed"]),
        ("My wife complains that I snore and I always forget her birthday",
         ["The user's wife complains that they snore"]),
        ("My doctor said I have asthma and I take 5 mg of Flovent",
         ["The user's doctor said they have asthma", "The user takes 5 mg of Flovent"]),
    ],
)  # fmt: skip
def test_a_denied_or_quoted_statement_does_not_continue_as_a_fact(text: str, contents: list[str]) -> None:
    """D22."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("I'm lactose intolerant, no wait, that's my brother.", []),
        ("I'm a teacher. Well, was.", []),
        ("I prefer window seats. Scratch that, aisle.", []),
        ("I live in Rome, no I live in Pisa", ["The user lives in Pisa"]),
        ("I'm 35, sorry 36", ["The user is 36"]),
        ("My budget is 1500, actually make that 1800", ["The user's budget is 1800"]),
        ("I live in Rome, I mean to stay", ["The user lives in Rome"]),
        (
            "I have two cats, and I live in Rome, no wait, I live in Pisa",
            ["The user has two cats and lives in Pisa"],
        ),
        ("I live in Rome. Wait for me.", ["The user lives in Rome"]),
        ("I love dogs. I mean it.", ["The user loves dogs"]),
    ],
)
def test_a_retracted_statement_is_not_kept(text: str, contents: list[str]) -> None:
    """D22: a wrong fact is worse than none."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("call me Liz", ["The user is called Liz"]),
        ("I don't like being called Elizabeth, call me Liz",
         ["The user does not like being called Elizabeth", "The user is called Liz"]),
        ("I'm vegan, call me back later", ["The user is vegan"]),
    ],
)  # fmt: skip
def test_a_name_at_the_end_of_a_sentence_is_kept(text: str, contents: list[str]) -> None:
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("im 27 i live in austin i work at dell", ["The user is 27 and lives in austin", "The user works at dell"]),
        ("i'm a vegetarian my wife isn't and my kid hates everything",
         ["The user is a vegetarian", "The user's kid hates everything"]),
        ("I love the town I live in near Rome", ["The user loves the town they live in near Rome"]),
        ("I'm a fan my wife adores", []),
    ],
)  # fmt: skip
def test_run_on_statements_are_separated(text: str, contents: list[str]) -> None:
    """D25."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    "text",
    [
        "My wife loves it",
        "My kids love them",
        "my sister lives there too",
        "my wife has one too",
        "my son is scared of it",
        "I live there now",
        "My wife isn't",
        "my husband does too",
    ],
)
def test_a_statement_that_needs_earlier_context_is_not_a_fact(text: str) -> None:
    """D22."""
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "my dog ate chocolate, help!",
        "My dog is limping today",
        "I drink too much coffee today",
        "I can't sleep tonight",
        "I can't eat another bite",
        "I'm working on a bug in the login page",
        "I'll use the first draft for now",
        "My dog is barking.",
        "My wife is cooking.",
        "My sister called me.",
        "My mom is on the phone.",
        "I live and breathe spreadsheets.",
        "I'm from the future.",
        "I'm Back!",
        "I'm Sorry, what?",
        "I bike at 20 km/h for 3 hours. How far?",
    ],
)
def test_a_momentary_state_is_not_a_fact(text: str) -> None:
    """D22."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I live in Berlin right now", "The user lives in Berlin right now"),
        ("I'm unemployed at the moment", "The user is unemployed at the moment"),
        ("I'm on antibiotics for now", "The user is on antibiotics for now"),
        ("We got engaged tonight!", "The user got engaged tonight"),
        ("I was diagnosed with asthma today", "The user was diagnosed with asthma today"),
        ("My son was born this morning", "The user's son was born this morning"),
        ("I usually work from home but not today", "The user usually works from home"),
        ("I'm Back from Rome, where I live now", "The user lives in Rome now"),
        ("I flew back to New York, where I work as a nurse", "The user works in New York as a nurse"),
        ("I'm 34 and weigh 82 kg. How far should I run?", "The user is 34 and weighs 82 kg"),
    ],
)
def test_a_lasting_state_stated_for_a_day_is_kept(text: str, content: str) -> None:
    """D21."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("My mom is diabetic and so am I", "The user's mom is diabetic"),
        ("I use vim btw", "The user uses vim"),
        ("Our anniversary is Feb 29th lol", "The user's anniversary is Feb 29th"),
        ("I live in Rome, thank you", "The user lives in Rome"),
        ("I'm a teacher as you know", "The user is a teacher"),
        ("I'm Marcus, nice to meet you", "The user is Marcus"),
        ("I'm vegetarian, maybe suggest something with tofu", "The user is vegetarian"),
        ("I'm allergic to nuts so maybe something without them", "The user is allergic to nuts"),
        ("I'm dyslexic, so short sentences please", "The user is dyslexic"),
        ("I'm allergic to nuts, is marzipan ok?", "The user is allergic to nuts"),
        ("Since I have asthma, is scuba diving ok?", "The user has asthma"),
        ("I found out I'm lactose intolerant", "The user is lactose intolerant"),
        ("it turns out I'm allergic to cats", "The user is allergic to cats"),
        ("lol i hate mondays", "The user hates mondays"),
        ("haha yeah i live in ohio", "The user lives in ohio"),
        ("PS I'm vegan", "The user is vegan"),
        ("tldr: I have diabetes", "The user has diabetes"),
        ("Quick question: I'm allergic to nuts, is marzipan ok?", "The user is allergic to nuts"),
        ("Update: I moved to Rome", "The user moved to Rome"),
        ("hey chatgpt im vegan", "The user is vegan"),
        ("nah i don't eat meat", "The user does not eat meat"),
        ("Like I said I'm allergic to latex", "The user is allergic to latex"),
    ],
)
def test_polite_phrases_do_not_change_the_confidence(text: str, content: str) -> None:
    """D21, D24."""
    (fact,) = facts_in_message(text, role=MessageRole.USER, speaker=None)

    assert (fact.content, fact.confidence >= KEPT) == (content, True)


def test_a_contrast_is_a_separate_fact() -> None:
    """D25."""
    assert kept("I used to work at Deloitte but now I'm at a tiny climate startup") == [
        "The user used to work at Deloitte",
        "The user is at a tiny climate startup",
    ]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I'm allergic to nuts. I mean seriously allergic.", "The user is allergic to nuts"),
        ("I'm diabetic. I mean type 2.", "The user is diabetic"),
        ("I have two kids. Never mind that, what's for dinner?", "The user has two kids"),
        ("My name is Bob. That's wrong, you called me Rob.", "The user's name is Bob"),
        ("I have diabetes. Actually no, don't suggest sugar.", "The user has diabetes"),
        ("I live in Oslo. Used to be in Bergen.", "The user lives in Oslo"),
        ("I have two kids. No longer babies though!", "The user has two kids"),
        ("I'm vegan. Wait, no meat please.", "The user is vegan"),
        ("I'm diabetic. Wait, that's too much sugar.", "The user is diabetic"),
        ("I have two kids. Make that recipe for two.", "The user has two kids"),
        ("I'm allergic to cats. Kidding aside, suggest a pet.", "The user is allergic to cats"),
        ("I'm allergic to nuts - no, I'm not kidding.", "The user is allergic to nuts"),
        ("I'm allergic to peanuts, sorry, no peanuts please.", "The user is allergic to peanuts"),
        (
            "I'm allergic to peanuts - correction to the earlier recipe please.",
            "The user is allergic to peanuts",
        ),
        ("I'm vegan, sorry, no meat please", "The user is vegan"),
        ("Since I'm vegan, no cheese please.", "The user is vegan"),
    ],
)
def test_sentences_that_resemble_corrections_retract_nothing(text: str, content: str) -> None:
    """D21."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("I live in Oslo. I mean Bergen.", ["The user lives in Bergen"]),
        ("I prefer the window. I meant the aisle.", []),
        ("I have two kids. Make that three.", ["The user has three kids"]),
        ("I live in Oslo. Just kidding!", []),
        ("I live in Oslo. Not anymore though.", []),
        ("I live in Oslo. That's not true anymore.", []),
        ("I'm a nurse. Correction: a doctor.", []),
        ("I live in Oslo. Actually no, I live in Bergen.", ["The user lives in Bergen"]),
        ("I live in Oslo, sorry, I mean Bergen.", ["The user lives in Bergen"]),
        ("I live in Oslo, sorry, not Oslo, Bergen.", []),
        ("I live in Oslo, make that Bergen", ["The user lives in Bergen"]),
    ],
)
def test_a_correction_with_or_without_a_value_retracts(text: str, contents: list[str]) -> None:
    """D22."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Both my wife and I are allergic to nuts.", "The user (and their wife) is allergic to nuts"),
        ("All my kids and I are vegan.", "The user (and their kids) is vegan"),
        ("Both of my brothers and I have asthma.", "The user (and their brothers) has asthma"),
        ("Both of my brothers have asthma.", "Both of the user's brothers have asthma"),
        ("My wife and my son are vegan", "The user's wife and their son are vegan"),
        (
            "My brother and my older sister live in Rome",
            "The user's brother and their older sister live in Rome",
        ),
        ("My ex-wife lives in Texas.", "The user's ex-wife lives in Texas"),
    ],
)
def test_a_statement_about_several_is_a_fact_of_each(text: str, content: str) -> None:
    """D25."""
    assert kept(text) == [content]


def test_people_mentioned_without_a_statement_are_not_facts() -> None:
    """D22."""
    assert kept("My wife and my son.") == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("As an admin assistant, I work at UCL.", "The user works at UCL, as an admin assistant"),
        ("As a system administrator, I work at UCL.", "The user works at UCL, as a system administrator"),
        ("In the game industry I work as an artist.", "The user works as an artist, in the game industry"),
        ("In my film studies, I use Photoshop.", "The user uses Photoshop, in their film studies"),
        ("If I had to choose, I prefer tea.", "The user prefers tea, if they had to choose"),
        ("Even if I had money, I hate cars.", "The user hates cars, even if they had money"),
        ("If it helped, I'm 34 years old.", "The user is 34 years old"),
    ],
)
def test_statements_that_resemble_stories_are_facts(text: str, content: str) -> None:
    """D21."""
    assert kept(text) == [content]


@pytest.mark.parametrize("text", ["If I had a dog, I would live in Oslo.", "If I won, I'd live in Oslo."])
def test_hypothetical_statements_are_not_facts(text: str) -> None:
    """D22."""
    assert kept(text) == []
