"""Questions that name the type of a thing or of an answer, and the facts that answer them."""

import numpy as np
import pytest

from graph.retrieval.answering.coverage import Kinship, held, required
from graph.retrieval.answering.facts import heading_of
from graph.retrieval.answering.models import SupportingFact
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.support import fact, supporting

ROLLBACK = (
    "Runbook: rolling back parcel-api\n\n1. Tell the people in #bridge.\n2. Run `ship back parcel-api`.\n"
    "3. Wait until it is green."
)
RESTART = "Restarting the mailer\n\nDrain the queue with `mailctl drain`. Then run `mailctl up`."
RESTART_ZH = "重启邮件服务\n\n先运行 `mailctl drain` 清空队列，再运行 `mailctl up`。"


def titled(text: str) -> SupportingFact:
    return fact(text.replace("\n", " ")).model_copy(update={"title": heading_of(text)})


SAME = (
    ("parcel-api is written in Elixir.", "Which language is parcel-api written in?"),
    ("parcel-api is written in Elixir.", "What language does the parcel-api service use?"),
    (
        "The reporter was rewritten from Perl to Python.",
        "What programming language is the reporter written in?",
    ),
    ("Shipping is owned by the Wharf crew.", "Which team owns the Shipping service?"),
    ("Shipping is owned by the Wharf crew.", "Who is the owner of Shipping?"),
    ("Ana Prado maintains the label-printer.", "Which engineer maintains the label-printer service?"),
    ("The billing service belongs to Finance Tools.", "Which team owns billing?"),
    ("parcel-api listens on 7070.", "Which port does parcel-api use?"),
    ("Error reports go to Rollbar; we use it for crashes.", "Which tool do we use for crashes?"),
    ("The importer runs in us-west-2.", "Which region is the importer hosted in?"),
    ("Exports are written every two hours.", "At what interval are exports written?"),
    ("The map API allows 90 calls per minute.", "What is the rate limit of the map API?"),
    ("The badge is valid until May 2028.", "When does the badge expire?"),
    ("Kestrel has to be finished by 3 March.", "When is project Kestrel due?"),
    ("Joan Little heads the Atlas team.", "Which person leads team Atlas?"),
    ("Outages are announced in #sirens.", "Which channel are outages announced in?"),
    ("Mara Voss took over the Atlas team in May.", "Who leads the Atlas team?"),
    ("We dropped Jenkins in favour of Tekton.", "What do we use instead of Jenkins?"),
    ("The outage on 9 May was caused by a full disk.", "Why was there an outage on 9 May?"),
    ("The outage on 9 May was caused by a full disk.", "What was the reason for the outage on 9 May?"),
    ("My sister Ilka breeds goats.", "What is my sister's name?"),
    ("The parcel-api is a Kotlin program.", "Which language is the parcel-api written in?"),
    ("Ilka supplies our printers.", "Who is the supplier of our printers?"),
    (
        "数据库备份保留三十天。",
        "数据库备份保留多久？",
    ),
    (
        "月报每周五发给陈总。",
        "月报要交给谁？",
    ),
    (
        "搜索服务的负责人是赵敏。",
        "搜索服务归谁管？",
    ),
    ("Rosa Lind is our contact at Baltica.", "What's the name of our contact at Baltica?"),
    ("The client of the portal uses Preact.", "Which client framework does the portal use?"),
    ("The ferry app was rebuilt in Ionic.", "Which framework is the ferry app built in?"),
    ("tide-gauge stores its readings in InfluxDB.", "Which database does tide-gauge use?"),
    (
        "tide-gauge talks to the harbour over MQTT.",
        "Which protocol does tide-gauge use to talk to the harbour?",
    ),
    ("Ilka got a kayak from Prijon.", "Which brand is the kayak that Ilka got?"),
    ("Guests from Denmark pay with MobilePay.", "What do Danish guests pay with?"),
    ("Guests from Denmark pay with MobilePay.", "Which payment method do guests from Denmark use?"),
    ("I'm intolerant to celery.", "Which food am I intolerant to?"),
    ("Dr. Pia Falk is my dermatologist.", "Which doctor is my dermatologist?"),
    ("The ferry app is due at the end of June.", "By when must the ferry app be finished?"),
    ("An upload holds at most 30 pictures.", "What is the maximum number of pictures in an upload?"),
    ("tide-gauge listens on port 7100.", "Which service listens on port 7100?"),
    ("tide-gauge listens on port 7100.", "What runs on port 7100?"),
    ("The cellar key is lent to Ilka until Sunday.", "When does the cellar key come back from Ilka?"),
    ("Joan Little has been our chair since 2021.", "In which year did Joan Little become chair?"),
    ("The attic is home to tenants called Brandt.", "Who lives in the attic?"),
    ("我父亲每天晚上服用安眠药。", "我爸晚上吃什么药？"),
    ("小陈在一家物流公司上班。", "小陈在哪家公司工作？"),
    ("船票每人八十元。", "每人要交多少船票？"),
    ("门户网站用的是 Spring 框架。", "门户网站是用哪个框架开发的？"),
    ("渡轮项目的截止日期是五月底。", "渡轮项目最晚什么时候完成？"),
    ("We only fly with Tarom.", "Which carrier do we fly with?"),
    ("The barn is cooled with ammonia.", "Which liquid cools the barn?"),
    ("Don't use Moment in the portal.", "Which library should I not use in the portal?"),
    ("Don't use Moment in the portal.", "Are we allowed to use Moment in the portal?"),
    ("Pia translated the logbook into Danish.", "Which language was the logbook translated into?"),
    ("Pia was hired as a welder.", "What is Pia's job?"),
    ("Day tickets live for six hours.", "How long is a day ticket valid?"),
    ("Lost parcels are handled by Pia Falk.", "Who should I ask about lost parcels?"),
    ("The pump is switched on with the blue lever.", "How do I turn on the pump?"),
    ("Pia invented the claw.", "Who came up with the claw?"),
    ("The importer was moved to Render in May.", "Which platform is the importer hosted on?"),
    ("The importer is hosted on Render.", "Which provider runs our importer?"),
    ("The main router runs OpenWrt 23.", "Which version of OpenWrt does the main router run?"),
    ("The importer is deployed to us-west-2.", "In which region does the importer run?"),
    ("Linting is done with oxlint.", "Which tool do we use for linting?"),
    ("The lamp lasts six hours.", "How many hours does the lamp run?"),
    ("夏令营在八月举办。", "夏令营什么时候举行？"),
    ("发票保存十年。", "发票要保留几年？"),
    ("我老婆是一名律师。", "我妻子的职业是什么？"),
    ("小马去年搬到了西安。", "小马现在住在哪里？"),
    ("电梯坏了，因为保险丝断了。", "电梯故障的原因是什么？"),
    ("码头团队负责运输服务。", "运输服务出问题该找谁？"),
    ("parcel-api 用 Elixir 编写。", "parcel-api 是用哪种语言写的？"),
    ("码头团队负责运输服务。", "运输服务由哪个团队负责？"),
    ("parcel-api 监听 7070 端口。", "parcel-api 的端口是多少？"),
    ("导入服务部署在 us-west-2。", "导入服务在哪个地区运行？"),
)


OF_OBJECTS = (
    ("I drive a blue Volvo.", "Which car do I drive?"),
    ("The user drives a blue Volvo.", "What kind of car does the user drive?"),
    ("My wife drives a Tesla.", "What car does my wife drive?"),
    ("I sail a Bavaria 34.", "Which boat do I sail?"),
    ("I drive a boat.", "Which boat do I drive?"),
    ("I visited Rome in 2024.", "Which city did I visit?"),
    ("Ada toured the Netherlands.", "Which country did Ada tour?"),
    ("我开一辆蓝色沃尔沃", "我开什么车？"),
    ("我开沃尔沃", "我开啥车？"),
    ("我开一辆蓝色沃尔沃", "我开的是哪辆车？"),
    ("我骑捷安特", "我骑什么自行车？"),
    ("我弹钢琴", "我弹什么乐器？"),
    ("我养了一只柯基", "我养了什么宠物？"),
    ("我大学读的是物理", "我大学读哪个专业？"),
    ("我在302会议室开会", "我在哪间会议室开会？"),
)
OF_OTHER_OBJECTS = (
    ("I drive a blue Volvo.", "Which boat do I drive?"),
    ("I drive a blue Volvo.", "Which bike do I drive?"),
    ("I drive my sister to school.", "Which car do I drive?"),
    ("Ada drives a red Fiat.", "Which car do I drive?"),
    ("I drive a blue Volvo.", "Which car does Ada drive?"),
    ("I visited my mother.", "Which city did I visit?"),
    ("My sister visited Rome.", "Which city did I visit?"),
    ("我开一辆蓝色沃尔沃", "我开什么船？"),
    ("我每周三开会", "我开什么车？"),
    ("我不会骑马", "我骑什么自行车？"),
    ("我养了一只柯基", "我养了什么猫？"),
    ("我开一辆蓝色沃尔沃", "我妻子开什么车？"),
)


@pytest.mark.parametrize(("statement", "question"), OF_OBJECTS)
async def test_a_question_may_name_the_class_of_an_object(minilm, statement, question) -> None:
    """E12; issue 36, point 3: the verb shows it."""
    assert await supporting(minilm, question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(("statement", "question"), OF_OTHER_OBJECTS)
async def test_an_object_of_another_class_or_person_does_not_answer(minilm, statement, question) -> None:
    """A5, E12; issue 36, point 3."""
    assert await supporting(minilm, question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("category", "is_met"), [("boat", False), ("bike", False), ("car", True), ("coupé", True)]
)
def test_a_near_word_names_no_class_of_another_verb(category, is_met) -> None:
    """A5; issue 36, point 3: even if vectors of single words are near."""
    kinship = Kinship({word: np.ones(1, dtype=np.float32) for word in (category, "volvo")})
    question = required(ParsedQuery(f"Which {category} do I drive?"))

    assert (held(question, "I drive a blue Volvo", kinship).share == 1.0) is is_met


@pytest.mark.parametrize(("statement", "question"), SAME)
async def test_a_question_may_name_the_type_of_its_answer_or_thing(minilm, statement, question) -> None:
    """E12; issue 36, point 3."""
    assert await supporting(minilm, question, [fact(statement)]) == [statement]


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("parcel-api uses 512 MB of memory.", "Which language does parcel-api use?"),
        ("We build the parcel-api in Elixir.", "Which framework does the parcel-api use?"),
        ("The Shipping team meets in room Cedar.", "Which room is the Shipping service in?"),
        ("Shipping was down on Monday.", "Which team owns the Shipping service?"),
        ("The ferry app was rebuilt in Kotlin.", "Which framework is the ferry app built in?"),
        ("Logs of tide-gauge are shipped to Loki.", "Which database does tide-gauge use?"),
        ("Logs of tide-gauge are shipped to Loki.", "Which protocol does tide-gauge use?"),
        ("Project Kestrel is due at the end of June.", "By when must Project Merlin be finished?"),
        ("The Wi-Fi password hangs in the hall.", "What is our password manager?"),
        ("Start the pump with the red key. It lasts ten hours.", "What fuel does the pump run on?"),
        ("Ilka got a kayak from Prijon.", "In what colour did Ilka get the kayak?"),
        ("Ilka got a kayak from Prijon.", "Which sport did Ilka get a medal in?"),
        ("The barn was built by Ada.", "Which liquid cools the barn?"),
        ("Pia owns the parcel-import job.", "Who owns the letter-import job?"),
        ("Day tickets live for six hours.", "How long is a season ticket valid?"),
        ("We pay Tarom 90 euros a month.", "How much do we pay Wizz a month?"),
        ("The pump is switched on with the blue lever.", "How do I turn on the lamp?"),
        ("我妻子是一名律师。", "我妻子叫什么名字？"),
        ("年会定在十二月二十日。", "年会要花多少钱？"),
        ("周报每周五发给陈总。", "每月哪天要交月报？"),
        ("我父亲每天晚上服用安眠药。", "我妈晚上吃什么药？"),
        ("parcel-api is written in Elixir.", "Who wrote parcel-api?"),
        ("parcel-api is written in Elixir.", "Which person wrote parcel-api?"),
        ("parcel-api restarts every two hours.", "Which port does parcel-api use?"),
        ("The map API allows 90 calls per minute.", "What is the rate limit of the booking API?"),
        ("The badge is valid until May 2028.", "When does the passport expire?"),
        ("The crew of Shipping meets in room Cedar.", "What floor is room Cedar on?"),
        ("Ravi bought the cargo bike from Tern.", "In what colour did Ravi buy the cargo bike?"),
        ("The controller has a range of 400 metres.", "What is the price of the controller?"),
        (
            "Nadia took over the Atlas team in May.",
            "What was the reason for Nadia taking over the Atlas team?",
        ),
        ("周报每周五发给陈总。", "月报在星期几发给陈总？"),
        ("码头团队负责运输服务。", "运输服务是用哪种语言写的？"),
        ("码头团队负责运输服务。", "哪个团队负责发票服务？"),
    ],
)
async def test_a_statement_of_another_type_or_thing_does_not_answer(minilm, statement, question) -> None:
    """A5, E12; issue 36, point 3."""
    assert await supporting(minilm, question, [fact(statement)]) == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (ROLLBACK, "How do I roll back parcel-api?"),
        (ROLLBACK, "What are the steps for rolling back the parcel-api service?"),
        (ROLLBACK, "Which command rolls back parcel-api?"),
        (ROLLBACK, "What do I run for a rollback of parcel-api?"),
        (RESTART, "How can I drain the queue before I restart the mailer?"),
        (RESTART, "How do I restart a mailer that did not drain?"),
        (RESTART_ZH, "怎么重启邮件服务？"),
        (RESTART_ZH, "重启邮件服务的步骤是什么？"),
    ],
)
async def test_steps_answer_by_their_heading(minilm, text, question) -> None:
    """E12; issue 36, point 3."""
    steps = titled(text)

    assert await supporting(minilm, question, [steps, *map(fact, ("The mailer is blue.", "邮件很多。"))]) == [
        steps.text
    ]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (ROLLBACK, "How do I roll back the mailer?"),
        (ROLLBACK, "Which command rolls back the importer?"),
        (RESTART, "How do I restart the parcel-api?"),
        (RESTART, "How do I delete the mailer?"),
        (RESTART, "How can the mailer be deleted?"),
        (RESTART, "What are the steps to upgrade the mailer?"),
        (RESTART, "What do I have to do to roll the mailer back?"),
        (RESTART_ZH, "怎么重启运输服务？"),
    ],
)
async def test_steps_for_another_thing_do_not_answer(minilm, text, question) -> None:
    """A5, E12; issue 36, point 3."""
    assert await supporting(minilm, question, [titled(text)]) == []
