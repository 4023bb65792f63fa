"""The rules on Chinese messages: the subject and the condition of each clause (D21, D22, D26)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import BROAD, Polarity
from graph.conversations.extraction.reading import facts_in_message

KEPT = 0.6


def read(text: str, speaker: str | None = None):
    return facts_in_message(text, role=MessageRole.USER, speaker=speaker)


def kept(text: str) -> list[str]:
    return [fact.content for fact in read(text) if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("我老婆对芒果过敏，我对花粉过敏", ["用户老婆对芒果过敏", "用户对花粉过敏"]),
        ("我儿子花生过敏，我没有过敏", ["用户儿子花生过敏", "用户没有过敏"]),
        ("我老公喜欢吃辣，我不吃辣", ["用户老公喜欢吃辣", "用户不吃辣"]),
        ("我弟弟在美国读书，我在北京工作", ["用户弟弟在美国读书", "用户在北京工作"]),
        ("我老婆喜欢猫，但是我喜欢狗", ["用户老婆喜欢猫", "用户喜欢狗"]),
        ("我喜欢猫但我老婆对猫毛过敏", ["用户喜欢猫", "用户老婆对猫毛过敏"]),
        ("我吃素 我老公不吃素", ["用户吃素", "用户老公不吃素"]),
        ("虽然我喜欢咖啡，但我对咖啡因敏感", ["用户喜欢咖啡", "用户对咖啡因敏感"]),
        ("我老婆怀孕了，我们打算买车", ["用户老婆怀孕了", "用户打算买车"]),
        ("我家在3楼，没电梯，我妈腿脚不好", ["用户家在3楼，没电梯", "用户妈腿脚不好"]),
        ("我妈妈下周来看我", ["用户妈妈下周来看用户"]),
        ("我老公比我大5岁", ["用户老公比用户大5岁"]),
        ("我养的狗很喜欢我", ["用户养的狗很喜欢用户"]),
        ("我弟弟和我都在深圳", ["用户弟弟和用户都在深圳"]),
        ("我的预算是1,500块，我对虾过敏", ["用户的预算是1,500块", "用户对虾过敏"]),
    ],
)
def test_a_statement_about_several_people_becomes_a_fact_of_each(text: str, contents: list[str]) -> None:
    """D21, D25: after another person, "自己" would mean that person."""
    assert sorted(kept(text)) == sorted(contents)


def test_a_shared_activity_becomes_a_fact_of_both() -> None:
    """D21."""
    (fact,) = read("我和我老婆都不吃猪肉")

    assert (fact.category, fact.content) == ("health", "用户和自己老婆都不吃猪肉")
    assert fact.polarity is Polarity.NEGATIVE
    assert kept("我和我女朋友下个月结婚") == ["用户和自己女朋友下个月结婚"]
    assert kept("我和老婆去看电影了") == []


@pytest.mark.parametrize(
    "text",
    [
        "我妈说我太胖了",
        "我的医生说他要度假",
        "我媽說我太瘦了",
        "我妈妈总说我喜欢熬夜",
        "我妈妈希望我考公务员",
        "我妈觉得我应该结婚",
        "我妹妹觉得我应该买Mac，但我喜欢Windows",
        "我老板觉得我写得太慢",
        "我有个朋友觉得我太胖",
        "我老婆说她想去日本，我也想去",
        "朋友都说我是工作狂",
        "听说我喜欢吃甜的",
        "有人说我像明星，我是单身",
        "他问我住在哪里，我说我住在上海",
        "小王：我讨厌加班",
        "我：我喜欢茶",
        "客户说：我不满意",
    ],
)
def test_opinions_of_others_about_somebody_are_not_facts(text: str) -> None:
    """D22."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("医生说我有高血压，让我少吃盐", "医生说用户有高血压，让用户少吃盐"),
        ("体检查出我有脂肪肝", "体检查出用户有脂肪肝"),
        ("老实说，我不喜欢开会", "用户不喜欢开会"),
        ("我妈会说粤语", "用户妈会说粤语"),
        ("我不仅会说英语，还会说日语", "用户不仅会说英语，还会说日语"),
        ("我说过我不吃辣", "用户不吃辣"),
        ("我之前告诉过你，我对花生过敏", "用户对花生过敏"),
        ("背景：我是程序员，在杭州工作", "用户是程序员，在杭州工作"),
        ("注意：我对花生过敏", "用户对花生过敏"),
        ("重要：我对花生过敏", "用户对花生过敏"),
        ("补充：我对花生过敏", "用户对花生过敏"),
        ("我的医生说我血压高", "用户的医生说用户血压高"),
        ("我的医生说我不能吃盐", "用户的医生说用户不能吃盐"),
        ("我医生说我有高血压", "用户医生说用户有高血压"),
        ("我的医生建议我少吃盐", "用户的医生建议用户少吃盐"),
    ],
)
def test_statements_that_resemble_reports_are_facts(text: str, content: str) -> None:
    """D21."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("小时候，我喜欢吃糖", "用户小时候，喜欢吃糖"),
        ("上大学的时候，我经常熬夜", "用户上大学的时候，经常熬夜"),
        ("除非加班，我每天健身", "用户除非加班，每天健身"),
        ("下雨的时候，我开车上班", "用户下雨的时候，开车上班"),
        ("下雨的时候我开车上班", "用户下雨的时候开车上班"),
        ("平时我喜欢跑步", "用户平时喜欢跑步"),
        ("下周三我要去上海出差", "用户下周三要去上海出差"),
        ("每到周末，我都会去钓鱼", "用户每到周末，都会去钓鱼"),
        ("比起咖啡，我更喜欢喝茶", "用户比起咖啡，更喜欢喝茶"),
        ("在公司我负责前端", "用户在公司负责前端"),
        ("这个项目我打算用向量数据库", "用户这个项目打算用向量数据库"),
        ("我和前女友分手后，我每天健身", "用户和前女友分手后，用户每天健身"),
        ("我平时骑车，下雨的时候，我开车上班", "用户下雨的时候，开车上班"),
    ],
)
def test_conditions_of_time_stay_in_the_fact(text: str, content: str) -> None:
    """D21."""
    assert content in kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "在游戏里，我是法师",
        "在我的小说里，我是一名侦探",
        "小说里我是一个侠客",
        "梦里我是一只猫",
        "我要是有钱就好了",
        "如果可以，我想住在海边",
        "如果我有钱，我就去环游世界",
        "我叫什么名字",
        "我是小白",
        "我是小号",
        "我是阿姨",
        "我住在哪里",
        "我对什么过敏你还记得吗",
        "我喜欢你用日语怎么说",
        "我搬到哪里了？",
        "我毕业于哪所大学？",
        "我在哪家公司上班",
        "我学了多久法语了",
        "我想知道我搬到哪儿了",
        "我的车是什么牌子的",
        "我住在北京，对吗？",
        "我该买苹果，还是买小米？",
        "我怎么可能喜欢他",
        "我又不是医生",
        "我哪有时间运动",
        "我做的菜很难吃",
        "我当时在场",
        "我想生成一张图",
        "我在写代码，报错了",
        "我换了个问法",
        "我会打电话给他",
        "我要去吃饭了",
        "我昨天去医院了",
        "我先生成一份报告再改",
        "我用不了这个功能",
        "我不太明白",
        "我叫了外卖",
        "我用pip安装失败了",
        "我把变量名换成了x",
        "我负责的部分完成了",
        "我老婆不喜欢",
        "我老婆不喜欢，因为太吵",
        "我老婆讨厌。",
        "我儿子不爱吃",
        "我不吃了",
        "我被诊断出没有问题",
        "我对它过敏",
        "我喜欢他",
        "我差点结婚了",
        "我梦见我结婚了",
        "我以为我怀孕了",
        "我恭喜他结婚了",
        "我去，太离谱了吧",
        "我的妈呀，吓死我了",
        "我老婆在做饭",
        "我妹刚给我打电话",
        "我去上厕所",
        "我买了杯咖啡",
        "我背了一小时单词",
        "我怕来不及",
        "我对上班过敏",
    ],
)
def test_suppositions_questions_and_momentary_states_are_not_facts(text: str) -> None:
    """D22."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("我租房，如果我有钱我就买房", ["用户租房"]),
        ("我最喜欢的电影是《霸王别姬》，你呢？", ["用户最喜欢的电影是《霸王别姬》"]),
        ("我住在北京，喜欢爬山，周末有什么好去处？", ["用户住在北京，喜欢爬山"]),
        ("我花生过敏有什么推荐", ["用户花生过敏"]),
        ("我有糖尿病，能吃西瓜吗？", ["用户有糖尿病"]),
        ("我对虾过敏，推荐几家餐厅", ["用户对虾过敏"]),
        ("我老婆帮我带孩子", ["用户老婆帮用户带孩子"]),
        ("我叫什么都行。我住在杭州，你知道哪里好玩？", ["用户住在杭州"]),
        ("我搬到深圳了，不知道哪里能买到好吃的面包", ["用户搬到深圳了"]),
        ("我什么都吃，就是不吃香菜", ["用户什么都吃，就是不吃香菜"]),
    ],
)
def test_questions_and_requests_end_a_statement(text: str, contents: list[str]) -> None:
    """D22."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("我乳糖不耐受", "health"),
        ("我花粉过敏", "health"),
        ("我有ADHD和哮喘", "health"),
        ("我做过阑尾手术", "health"),
        ("我在吃阿司匹林", "health"),
        ("我换工作了，现在在腾讯做产品经理", "career"),
        ("我辞职了，下个月去字节跳动上班", "career"),
        ("我是做外贸的", "career"),
        ("我大学学的是计算机", "career"),
        ("我们公司在深圳南山", "career"),
        ("我在字节做算法", "career"),
        ("我在家办公", "career"),
        ("我从腾讯离职了", "career"),
        ("我以前住在北京，现在搬到成都了", "personal"),
        ("我是哈尔滨人，在广州工作十年了", "personal"),
        ("我对象是程序员", "personal"),
        ("我租的房子在朝阳区", "personal"),
        ("我属猴的", "personal"),
        ("我是小美", "personal"),
        ("我是阿强，来自广东", "personal"),
        ("我名叫赵云", "personal"),
        ("我有驾照", "personal"),
        ("我已婚", "personal"),
        ("我把vim换成了vscode", "decision"),
        ("我从安卓换到了iPhone", "decision"),
        ("我下个月15号结婚", "plan"),
        ("我要考雅思", "plan"),
        ("我平时早上六点跑步，晚上十点睡", "pattern"),
        ("我一周健身三次", "pattern"),
        ("我快30了", "personal"),
        ("我是清华大学计算机系的", "career"),
        ("我迷上了摄影", "preference"),
        ("我爱人工智能", "preference"),
        ("我爱人是医生", "personal"),
        ("我妈妈下个月过生日", "personal"),
        ("我的签证下个月到期", "plan"),
        ("我离婚了", "personal"),
        ("我去年结婚了", "personal"),
        ("我被诊断出哮喘", "health"),
        ("我被诊断为糖尿病", "health"),
        ("我被医生诊断患有抑郁症", "health"),
        ("我快结婚了", "plan"),
        ("我受雇于西门子", "career"),
        ("我为谷歌工作", "career"),
        ("我是色盲", "health"),
        ("我一吃青霉素就起疹子", "health"),
        ("我鞋码44", "personal"),
        ("我老板姓欧阳", "personal"),
        ("我九月要跑柏林马拉松", "plan"),
        ("我周一和周五在家办公", "pattern"),
        ("我牛排喜欢三分熟", "preference"),
        ("我两个孩子一个五岁一个八岁", "personal"),
        ("我本科在同济读机械", "career"),
        ("我主要写Go", "career"),
    ],
)
def test_statements_about_oneself_are_extracted(text: str, category: str) -> None:
    """D21, D33."""
    (fact,) = read(text)

    assert (fact.category, fact.content) == (category, f"用户{text.removeprefix('我们').removeprefix('我')}")
    assert fact.polarity is Polarity.POSITIVE
    assert fact.confidence >= KEPT


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("吃素七年了", "用户吃素七年了"),
        ("喜欢安静的地方", "用户喜欢安静的地方"),
        ("养了一只会说话的鹦鹉", "用户养了一只会说话的鹦鹉"),
        ("养了两只乌龟", "用户养了两只乌龟"),
        ("离婚三年了，儿子跟我过", "用户离婚三年了，儿子跟用户过"),
        ("对猫毛过敏", "用户对猫毛过敏"),
        ("儿子对牛奶蛋白过敏，早餐可以换成什么？", "用户儿子对牛奶蛋白过敏"),
        ("香菜我是一口都吃不了", "用户香菜是一口都吃不了"),
        ("我自学韩语两年了，现在大概四级", "用户自学韩语两年了，现在大概四级"),
        ("刚在昆明安了家", "用户刚在昆明安了家"),
        ("考上了县里的事业编", "用户考上了县里的事业编"),
        ("家里有辆特斯拉，充电桩装在地下车库", "用户家里有辆特斯拉，充电桩装在地下车库"),
        ("酒精过敏，一口啤酒脸就红", "用户酒精过敏，一口啤酒脸就红"),
        ("天天中午都要睡半小时，怎么醒来不犯懵？", "用户天天中午都要睡半小时"),
        ("会说流利的西班牙语", "用户会说流利的西班牙语"),
        ("六月二十二号做胆囊手术", "用户六月二十二号做胆囊手术"),
    ],
)
def test_a_sentence_without_a_subject_or_with_a_topic_is_about_the_speaker(text: str, content: str) -> None:
    """36."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    "text",
    [
        "养猫好吗？",
        "去倒杯水",
        "改完了",
        "他吃素七年了",
        "对这个答案不满意",
        "天天加班的人真惨",
        "会说话的狗",
        "住在杭州的人真幸福",
        "喜欢猫的人都很温柔",
        "单身的朋友都很自由",
        "买了两台服务器做测试",
    ],
)
def test_a_sentence_without_a_subject_may_be_about_anything(text: str) -> None:
    """36."""
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "我现在不抽烟了",
        "我不是医生",
        "我不是素食者，但是不吃牛肉",
        "我一点辣都不能吃",
        "我吃不了辣",
        "我没去过日本",
        "我老家不在四川",
        "我已经不在阿里了",
        "我不会开车",
        "我滴酒不沾",
        "我对咖啡没兴趣",
        "我儿子不吃香菜",
        "我老公不抽烟",
        "我爸爸不吃牛肉",
        "我妈不会用智能手机",
    ],
)
def test_a_denial_is_negative_whoever_it_concerns(text: str) -> None:
    """D18."""
    (fact,) = read(text)

    assert (fact.content, fact.polarity) == (f"用户{text[1:]}", Polarity.NEGATIVE)


@pytest.mark.parametrize("text", ["我家在六楼没有电梯", "我妈腿脚不好", "我乳糖不耐受", "我女儿8岁不是7岁"])
def test_a_word_containing_a_negation_is_not_negative(text: str) -> None:
    (fact,) = read(text)

    assert fact.polarity is Polarity.POSITIVE


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我對蝦過敏，請推薦幾家餐廳", "用户對蝦過敏"),
        ("我不喜歡喝咖啡", "用户不喜歡喝咖啡"),
        ("我們公司在臺北", "用户公司在臺北"),
        ("我準備明年去日本留學", "用户準備明年去日本留學"),
        ("我媽媽有高血壓", "用户媽媽有高血壓"),
    ],
)
def test_traditional_characters_are_read_and_stay(text: str, content: str) -> None:
    """D26."""
    assert kept(text) == [content]


def test_keywords_of_traditional_characters_are_the_same() -> None:
    """D23."""
    (traditional,), (simplified,) = read("我女兒對牛奶過敏"), read("我女儿对牛奶过敏")

    assert traditional.keywords == simplified.keywords
    assert {"daughter", "milk"} <= set(traditional.keywords)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我每天早上喝一杯黑咖啡☕️", "用户每天早上喝一杯黑咖啡"),
        ("我超级喜欢猫猫🐱🐱", "用户超级喜欢猫猫"),
        ("我是哈尔滨人～", "用户是哈尔滨人"),
        ("我住在 Berlin，在 SAP 工作", "用户住在 Berlin，在 SAP 工作"),
        ("我是 full-stack developer", "用户是 full-stack developer"),
        ("I love 火锅 and hate rain", "The user loves 火锅 and hates rain"),
        ("My name is 李雷.", "The user's name is 李雷"),
    ],
)
def test_emoji_and_english_words_do_not_prevent_extraction(text: str, content: str) -> None:
    """D26."""
    assert kept(text) == [content]


def test_a_statement_to_the_assistant_has_less_confidence() -> None:
    """D22."""
    (fact,) = read("我喜欢跟你聊天")

    assert fact.confidence == BROAD


def test_a_named_person_is_the_subject_by_name() -> None:
    """D24."""
    assert [fact.content for fact in read("我老公不吃辣，我喜欢辣", "小雨")] == [
        "小雨老公不吃辣",
        "小雨喜欢辣",
    ]


def test_ambiguous_words_take_linear_time() -> None:
    """C16: otherwise each would double the time."""
    assert facts_in_message("我被诊断" + "患有" * 60 + "，好", role=MessageRole.USER, speaker=None) == []


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("我哪天都在公司上班", ["用户每天都在公司上班"]),
        ("我哪年都去日本", ["用户每年都去日本"]),
        ("我哪天也不吃肉", ["用户每天都不吃肉"]),
        ("我去哪里都坐地铁", ["用户去任何地方都坐地铁"]),
        ("我对什么海鲜都过敏", ["用户对任何海鲜都过敏"]),
        ("我什么时候都在家办公", ["用户一直都在家办公"]),
    ],
)
def test_a_question_word_before_all_means_any_or_every(text: str, contents: list[str]) -> None:
    """36.5: 哪天都 is "every day", not a question."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    "text",
    [
        "我哪天在公司上班",
        "我哪天都在公司上班吗？",
        "我哪天都在公司上班，对吗",
        "我哪天都在公司来着",
        "我都哪天上班",
        "我喜欢什么水果",
        "我对什么过敏",
        "我都住过哪里",
    ],
)
def test_a_question_word_elsewhere_remains_a_question(text: str) -> None:
    assert kept(text) == []
