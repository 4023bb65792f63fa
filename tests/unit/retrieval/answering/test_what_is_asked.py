"""The subject of a fact, its denials, and the kind of answer that a question asks for."""

import pytest

from graph.retrieval.answering.expecting import Expected, direct, expected
from tests.fixtures.support import FACTS, fact, supporting


@pytest.fixture
def supported(minilm):
    """Return a function that gives the supporting texts, best first."""

    async def texts(question: str, facts=FACTS) -> list[str]:
        return await supporting(minilm, question, facts)

    return texts


OF_ANOTHER = (
    ("Where do I live?", "My sister lives in Berlin."),
    ("Where do I live?", "Our CEO lives in Rome."),
    ("Where do I live?", "Alice's brother lives in Rome."),
    ("Where do I live?", "Alice and Bob live in Bergen."),
    ("Where do I live?", "Dr. Smith lives in Rome."),
    ("When did I move to Oslo?", "Alice recently moved to Oslo in May."),
    ("When did I go to Oslo?", "Alice went to Oslo in May."),
    ("What is my phone number?", "My sister's phone number is 555-0199."),
    ("When is my birthday?", "My mother's birthday is on May 5."),
    ("How old am I?", "My daughter is 5 years old."),
    ("What am I allergic to?", "My son is allergic to peanuts."),
    ("Who is my manager?", "Tom's manager is Priya Nair."),
    ("What is my wife's name?", "Bob's wife is named Carla."),
    ("Where does Alice live?", "Alice's brother lives in Rome."),
    ("What are Bob's allergies?", "Alice and Bob's son has allergies to nuts."),
    ("Who is my husband?", "Ada's sister's husband is called Tom."),
    ("Who is Ada's husband?", "Ada's sister's husband is called Tom."),
    ("What is my wife's name?", "The user's husband is called Tom."),
    ("Where does my sister live?", "The user's sister's husband lives in Denver."),
    ("How old is my son?", "The user's son's teacher is 40 years old."),
    ("Where do I work?", "The user no longer works at Siemens."),
    ("Where does my mother live?", "The user's mother never lived in Rome."),
    ("我住在哪里？", "用户不住在上海了。"),
    ("我住在哪里？", "小明住在北京。"),
    ("我住在哪里？", "我妹妹住在北京。"),
    ("我叫什么名字？", "我妻子叫李梅。"),
    ("我的生日是哪天？", "我妹妹的生日是5月3日。"),
    ("张伟住在哪里？", "张伟的妹妹住在北京。"),
    ("Wer ist mein Zahnarzt?", "Bobs Zahnarzt ist Dr. Müller."),
)


@pytest.mark.parametrize(("question", "statement"), OF_ANOTHER)
async def test_a_statement_about_somebody_else_does_not_answer(supported, question, statement) -> None:
    """A5, E12: if it begins with a person whom the question does not name."""
    assert await supported(question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("request_", "question"),
    [
        ("Tell me who owns the barn.", "Who owns the barn."),
        ("So, could you please remind me when Ada arrives?", "When Ada arrives?"),
        ("Can you tell me the name of the vet?", "What is the name of the vet?"),
        ("Remind me of Ada's shoe size, please.", "What is Ada's shoe size."),
        ("Do you know if Ada is married?", "Is it that Ada is married?"),
        ("I forgot which gate we leave from", "Which gate we leave from"),
        ("What was the name of the vet again?", "What was the name of the vet?"),
        ("你知道谁养猫吗？", "谁养猫？"),
        ("请告诉我猫叫什么", "猫叫什么"),
        ("Do you know Ada?", "Do you know Ada?"),
        ("Tell me about Ada", "Tell me about Ada"),
        ("谁知道密码？", "谁知道密码？"),
    ],
)
def test_a_request_contains_a_question(request_, question) -> None:
    """E12; issue 36, point 3."""
    assert direct(request_) == question


@pytest.mark.parametrize(
    ("question", "standard"),
    [
        ("我住哪？", "我住哪里？"),
        ("备用钥匙放哪儿了", "备用钥匙放哪里了"),
        ("他從哪來？", "他從哪里來？"),
        ("你知道我的猫叫啥吗？", "我的猫叫什么？"),
        ("站会啥时候开始？", "站会什么时候开始？"),
        ("登录失败咋办？", "登录失败怎么办？"),
        ("我在哪家公司上班？", "我在哪家公司上班？"),
        ("我明天没啥安排，对吗？", "我明天没啥安排，对吗？"),
    ],
)
def test_colloquial_interrogatives_become_standard(question, standard) -> None:
    """E12; issue 36, point 3."""
    assert direct(question) == standard


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("我住在哪？", "我住在慕尼黑"),
        ("我现在住哪呢？", "我住在慕尼黑"),
        ("我在哪上班？", "我在西门子工作"),
        ("我下周去哪儿？", "我下周去东京出差"),
        ("我的猫叫啥？", "我的猫叫咪咪"),
        ("我对啥过敏？", "我对花生过敏"),
        ("发布为啥推迟了？", "发布推迟了，因为密钥过期了"),
        ("我每天几点起床？", "我每天早上六点起床"),
        ("站會幾點？", "站会九点半开始"),
    ],
)
async def test_a_colloquial_interrogative_asks_like_the_standard_one(supported, question, statement) -> None:
    """E12; issue 36, point 3."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("我在哪工作？", "我住在慕尼黑"),
        ("小李住哪？", "小陈住在苏州"),
        ("我的狗叫啥？", "我的猫叫咪咪"),
        ("我叫啥？", "我喜欢喝绿茶"),
        ("发布为啥推迟了？", "发布推迟了"),
        ("周会几点？", "站会九点半开始"),
        ("站会在哪？", "站会九点半开始"),
    ],
)
async def test_a_colloquial_interrogative_keeps_its_kind_of_answer(supported, question, statement) -> None:
    """A5, E12; issue 36, point 3."""
    assert await supported(question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Tell me who owns the barn.", "Pia owns the barn."),
        ("Can you tell me the name of the vet?", "The vet is called Dr. Moor."),
        ("What do I avoid at night?", "I never drink coffee at night."),
        ("When may we not deploy?", "Deployments are frozen in May."),
        ("Where is my bike key?", "Mrs. Novak keeps my bike key."),
        ("What led to the outage on 9 May?", "The outage on 9 May was caused by a full disk."),
        ("What is wrong with the lift?", "The lift fails because a fuse blew."),
        ("How much does Tarom cost us?", "We pay Tarom about 90 euros a month."),
        ("我每周哪天去学二胡？", "我每周三晚上上二胡课。"),
        ("其他人的会议在哪天？", "其他人的会议在周五。"),
    ],
)
async def test_a_question_may_be_put_in_another_form(supported, question, statement) -> None:
    """E12; issue 36, point 3."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    "question", ["What does Tiago eat?", "What did Tiago eat?", "Which canned soup has Tiago?"]
)
async def test_stop_words_are_not_forms_of_other_words(supported, question) -> None:
    """E12: the stem of "ate" is "at", that of "canned" is "can"."""
    statement = "Tiago can stay at the hospital, where he works at night."

    assert await supported(question, [fact(statement)]) == []
    assert await supported("What did Tiago eat?", [fact("Tiago ate soup.")]) == ["Tiago ate soup."]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Where do I live?", "My home is in Oslo."),
        ("Where does my sister live?", "My sister lives in Berlin."),
        ("Where does my sister's husband live?", "The user's sister's husband lives in Denver."),
        ("What is my sister's phone number?", "My sister's phone number is 555-0199."),
        ("Who is my sister?", "Alice is my sister."),
        ("Which instrument does Ben play?", "Ben is the user's brother and plays an instrument."),
        ("Who lives in Rome?", "Alice's brother lives in Rome."),
        ("What was decided about the flat?", "Our landlord decided to sell the flat."),
        ("Who lives with me?", "My brother lives with me."),
        ("Which user reported the bug?", "Alice reported the bug."),
        ("我妹妹住在哪里？", "我妹妹住在北京。"),
        ("我们用哪个数据库？", "数据库用的是 PostgreSQL。"),
        ("谁住在北京？", "我妹妹住在北京。"),
        ("Wer ist mein Zahnarzt?", "Mein Zahnarzt ist Dr. Müller."),
    ],
)
async def test_a_statement_about_the_person_in_question_answers(supported, question, statement) -> None:
    """E12."""
    assert await supported(question, [fact(statement)]) == [statement]


async def test_a_statement_about_the_user_by_name_answers(supported) -> None:
    """E12: the name is known from another statement."""
    facts = [fact("The user's name is Mara Lindqvist."), fact("Mara's landlord is called Mr. Hagen.")]

    assert await supported("Who is the user's landlord?", facts) == [facts[1].text]
    assert await supported("Who is the user's landlord?", facts[1:]) == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("What does Ada not eat?", "Ada eats fish."),
        ("Who does not like coffee?", "Alice likes coffee."),
        ("Who doesn\u2019t like coffee?", "Alice likes coffee."),
        ("Who likes coffee?", "Alice does not like coffee."),
        ("Which service uses Redis?", "The billing service does not use Redis."),
        ("Who left Acme?", "Bob never left Acme."),
        ("Wer mag Kaffee?", "Anna mag Kaffee nicht."),
        ("Wer mag keinen Kaffee?", "Anna mag Kaffee."),
        ("谁喜欢咖啡？", "小明不喜欢咖啡。"),
    ],
)
async def test_a_denial_answers_only_a_question_that_it_denies(supported, question, statement) -> None:
    """A5, E12."""
    assert await supported(question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("What does Ada not eat?", "Ada does not eat fish."),
        ("Who doesn't like coffee?", "Bob does not like coffee."),
        ("Who left Acme?", "Bob left Acme and never returned."),
        ("Who left Acme?", "Bob never moved, but Alice left Acme."),
        ("Why don't we use Redis?", "We do not use Redis because of its licence."),
        ("Does Ada eat fish?", "Ada does not eat fish."),
        ("谁不喜欢咖啡？", "小明不喜欢咖啡。"),
        ("谁喜欢咖啡？", "小红喜欢咖啡。"),
    ],
)
async def test_a_statement_in_the_words_of_the_question_answers(supported, question, statement) -> None:
    """E12: an answer need not contain a contraction; a yes-no question is answered either way."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Who repaired my phone?", "Tom repaired the user's phone."),
        ("How much did the phone cost?", "The phone cost 300 euros."),
        ("Which email client does Ada use?", "Ada uses Thunderbird as her email client."),
        ("When did I send the email to Bob?", "I sent the email to Bob on Monday."),
        ("What should I do when the build fails?", "When the build fails, clear the cache."),
        ("我什么时候给妈妈打电话？", "用户每天晚上给妈妈打电话。"),
        ("谁负责支付系统？", "张伟负责支付系统。"),
    ],
)
async def test_a_word_inside_a_question_does_not_decide_the_kind_of_answer(
    supported, question, statement
) -> None:
    """E12."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What state is the ticket in?", Expected.OPEN),
        ("What address does the server listen on?", Expected.OPEN),
        ("What did the doctor say about my weight?", Expected.OPEN),
        ("When the build fails, who is called?", Expected.OPEN),
        ("我的手机是什么型号？", Expected.OPEN),
        ("Tell me when the demo is.", Expected.TIME),
        ("Since when has Ada lived in Rome?", Expected.TIME),
        ("Hi! Where do I live?", Expected.PLACE),
        ("What's Ada's email?", Expected.MAIL),
        ("Do you know Ada's phone number?", Expected.PHONE),
        ("How many phone numbers does Ada have?", Expected.NUMBER),
        ("妈妈的手机号是多少？", Expected.PHONE),
        ("谁换了手机号？", Expected.PERSON),
    ],
)
def test_the_question_word_decides_the_kind_of_answer(question, kind) -> None:
    """E12."""
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Wo wohnt Anna?", "Anna wohnt in Berlin."),
        ("Wann ist das Release?", "Das Release ist am 5. März."),
        ("Welche Datenbank benutzen wir?", "Wir benutzen PostgreSQL als Datenbank."),
    ],
)
async def test_question_words_of_other_languages_are_not_required(supported, question, statement) -> None:
    """E12."""
    assert await supported(question, [fact(statement), fact("Bob mag Tee.")]) == [statement]


async def test_full_names_and_capitals_identify_people_in_a_question(supported) -> None:
    """A5, E12: two people share a first name, and another's name is also a word."""
    annas = [
        fact("I work at Siemens in Munich.", speaker="Anna Kahn"),
        fact("Hello there!", speaker="Anna Berg"),
    ]
    deployed = [
        fact("We deploy the search service on Monday.", speaker="Ada"),
        fact("I like the search service a lot.", speaker="Will"),
    ]

    assert await supported("Where does Anna Berg work?", annas) == []
    assert await supported("Where does Anna Kahn work?", annas) == [annas[0].text]
    assert (await supported("When will we deploy the search service?", deployed))[0] == deployed[0].text


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("How old is Alice?", "Alice is 34."),
        ("How old is Alice?", "Alice turned 34 in May."),
        ("How old is Alice?", "Alice 今年34岁。"),
        ("How old is Alice?", "Alice is a 34-year-old nurse."),
        ("How old is Alice?", "Alice, 34, is a nurse."),
        ("How old is Alice?", "Alice is thirty-four and lives in Rome."),
        ("How old is Alice?", "Alice was born in 1990."),
        ("How old is Alice's son?", "Alice has a 5-year-old son."),
        ("How old is the building?", "The building is 120 years old."),
        ("How old am I?", "I turned 34 last week."),
        ("What is Alice's age?", "Alice is in her thirties."),
        ("What is the minimum age?", "The minimum age is 18."),
        ("我女儿多大了？", "我女儿今年7岁。"),
        ("我爸爸多大年纪？", "我爸爸1955年出生。"),
    ],
)
async def test_an_age_answers_how_old_somebody_is(supported, question, statement) -> None:
    """E12."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("How old is Alice?", "Alice lived in Rome for 12 years."),
        ("How old is Alice?", "Alice has a 5-year-old son."),
        ("How old is Alice?", "Alice is 34 weeks pregnant."),
        ("How old is Alice?", "Alice is an old friend of 3 people."),
        ("What is Alice's age?", "Alice worked for 12 years at Acme."),
        ("How old am I?", "The user has worked for 12 years."),
        ("我女儿多大了？", "我女儿喜欢画画。"),
    ],
)
async def test_other_numbers_do_not_answer_how_old_somebody_is(supported, question, statement) -> None:
    """A5, E12."""
    assert await supported(question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("When did Ana move?", "Ana's meeting was moved to Thursday."),
        ("Where is Bob?", "Bob's car is in the garage."),
        ("Who is Priya's manager?", "Bob's manager is Priya."),
        ("Who is Bob's manager?", "Bob manages the payments team."),
        ("Who manages Bob?", "Bob manages Nina."),
        ("Who does Bob manage?", "Priya manages Bob."),
        ("What did Bob give Ana?", "Ana gave Bob a book."),
        ("What did Nina review?", "Erik reviewed the pull request of Nina."),
        ("我老婆叫什么名字？", "我老婆的妹妹叫李娟。"),
        ("我老婆叫什么名字？", "我老婆的老师叫王芳。"),
        ("我老公的妹妹叫什么名字？", "我妹妹的老公叫李强。"),
        ("我姐叫什么名字？", "我姐夫叫王强。"),
        ("我哥叫什么名字？", "我表哥叫李强。"),
        ("张伟的老婆叫什么？", "张伟的老婆的妹妹叫李娟。"),
    ],
)
async def test_an_action_or_possession_of_somebody_else_does_not_answer(
    supported, question, statement
) -> None:
    """A5, E12: even with the same names and words."""
    assert await supported(question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("When is Ana's wedding?", "Ana and Bob's wedding is on 3 May."),
        ("Where is Alice's house?", "Bob's house is near Alice's house in Rome."),
        ("Who's reviewing the plan?", "Bob's reviewing the plan."),
        ("Who is Bob's manager?", "Priya manages Bob."),
        ("Who does Bob manage?", "Bob manages Nina."),
        ("Who married Ana?", "Ana married Bob in May."),
        ("Where does Alice live?", "Tom lives with Alice in Rome."),
        ("Who is Alice's doctor?", "Dr. Ito is Alice's doctor."),
        ("When is the stand-up?", "The stand-up is at 9."),
        ("我老婆妹妹叫什么名字？", "我老婆的妹妹叫李娟。"),
        ("我老婆叫什么名字？", "我老婆的名字是王芳。"),
        ("我姐夫叫什么名字？", "我姐夫叫王强。"),
        ("我的手机号是多少？", "用户的手机号是13800000000。"),
    ],
)
async def test_a_statement_with_the_subject_of_the_question_answers(supported, question, statement) -> None:
    """E12."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("How tall is Bob?", "Bob is six feet tall."),
        ("How tall is Bob?", "Bob's height is 180 cm."),
        ("How heavy is the parcel?", "The parcel weighs 8 kg."),
        ("How high is the rent?", "The rent is 900 euros a month."),
        ("How much did the bike cost?", "The bike cost 2000 euros in 2019."),
        ("How much leave does Bob have?", "Bob has 30 days of leave."),
    ],
)
async def test_a_measure_answers_how_much(supported, question, statement) -> None:
    """E12."""
    assert await supported(question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("How tall is Bob?", "Bob lived in Rome for 12 years."),
        ("How tall is Bob?", "Bob is 34."),
        ("How heavy is the parcel?", "The parcel was sent in 2019."),
        ("How high is the rent?", "The rent has been paid for 12 years."),
        ("How much is the bike?", "Bob has had the bike for two years."),
        ("What is the price of the bike?", "Bob bought the bike 3 years ago."),
    ],
)
async def test_years_are_not_measures(supported, question, statement) -> None:
    """A5, E12."""
    assert await supported(question, [fact(statement)]) == []
