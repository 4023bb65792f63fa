"""Corrections and retractions of the previous statement in Chinese (D18, D21, D22)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.reading import facts_in_message


def kept(text: str) -> list[str]:
    facts = facts_in_message(text, role=MessageRole.USER, speaker=None)
    return [fact.content for fact in facts if fact.confidence >= 0.6]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我的预算是5000块，不对，是8000", "用户的预算是8000块"),
        ("我预算5000，哦不，6000", "用户预算6000"),
        ("我女儿3岁，说错了，是4岁", "用户女儿4岁"),
        ("我的生日是5月3号，不对，是6月3号", "用户的生日是6月3号"),
        ("我有三只猫。不对，是四只。", "用户有四只猫"),
        ("我叫李雷，啊不对，韩梅梅", "用户叫韩梅梅"),
        ("我住在朝阳区。不对，是海淀区。", "用户住在海淀区"),
        ("我住在上海，不对，我住在杭州", "用户住在杭州"),
        ("不对，我住在上海", "用户住在上海"),
        ("我是设计师，不是程序员", "用户是设计师，不是程序员"),
        ("我老婆怀孕了，应该是男孩", "用户老婆怀孕了，应该是男孩"),
        ("我的预算是五万，不对，应该是八万", "用户的预算是八万"),
        ("我住在北京，女儿3岁，不对，4岁", "用户住在北京，女儿4岁"),
        ("我女兒3歲，不對，4歲", "用户女兒4歲"),
        ("我在2019年搬到北京，不对，2020年", "用户在2020年搬到北京"),
        ("我的生日是5月3号，不对，4号", "用户的生日是5月4号"),
        ("我住在北京，不对，住在上海", "用户住在上海"),
        ("我现在是老师，不对，以前是老师", "用户以前是老师"),
        ("我今年30岁，不对，今年31岁", "用户今年31岁"),
        ("我是老师。我是说护士。", "用户是护士"),
        ("我住在北京，哦不是，是上海。", "用户住在上海"),
        ("我叫小明。抱歉，是小民。", "用户叫小民"),
        ("我姐姐叫安娜。不好意思，叫汉娜。", "用户姐姐叫汉娜"),
        ("我今年三十四岁，不，三十五岁。", "用户今年三十五岁"),
        ("我对花生过敏。等等，是对腰果过敏。", "用户对腰果过敏"),
        ("我下周二飞上海，不对，周三。", "用户下周三飞上海"),
        ("我下周二飞上海。不对，是周三。", "用户下周三飞上海"),
        ("我住在北京，说错了，不对，是上海。", "用户住在上海"),
    ],
)
def test_a_correction_keeps_the_right_value(text: str, content: str) -> None:
    """D18."""
    assert kept(text) == [content]


def test_an_unclear_correction_keeps_nothing() -> None:
    """D22."""
    assert kept("我喜欢喝茶，不对，咖啡") == []
    assert kept("我喜欢喝茶。抱歉，打错了，是咖啡。") == []
    assert kept("我女儿叫小红。不对，她叫小明。") == []
    assert kept("我女儿3岁，不对，今年4岁") == []
    assert kept("我叫李雷，是老师，不对，韩梅梅") == []


@pytest.mark.parametrize("text", ["我住在北京。不对。", "我是护士。开玩笑的。", "我是护士。跟你开玩笑的！"])
def test_a_retracted_statement_is_not_kept(text: str) -> None:
    """D22."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我对花生过敏。我的意思是很严重的过敏。", "用户对花生过敏"),
        ("我对花生过敏。我是说别放花生。", "用户对花生过敏"),
        ("我是素食者。不对啊，这个菜谱里有肉。", "用户是素食者"),
        ("我是医生。不对，你没回答我的问题。", "用户是医生"),
        ("我是醫生。不對，妳沒回答我的問題。", "用户是醫生"),
        ("我有三只猫。不对，你算错了。", "用户有三只猫"),
        ("我对花生过敏，推荐两家餐厅，不对，三家", "用户对花生过敏"),
        ("我对花生过敏，不对虾过敏", "用户对花生过敏，不对虾过敏"),
        ("我住在北京。不好意思，打扰了。", "用户住在北京"),
        ("我是护士。不，谢谢。", "用户是护士"),
        ("我老婆很可爱", "用户老婆很可爱"),
        ("我儿子很受老师喜欢", "用户儿子很受老师喜欢"),
        ("我住在北京，很喜欢", "用户住在北京，很喜欢"),
    ],
)
def test_a_comment_on_an_answer_retracts_nothing(text: str, content: str) -> None:
    """D21."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我不吃猪肉、牛肉等等，是素食者", "用户不吃猪肉、牛肉等等，是素食者"),
        ("我有糖尿病。对不起，是不是要控制饮食？", "用户有糖尿病"),
        ("我有哮喘。抱歉，是之前忘了说", "用户有哮喘"),
        ("我搬到杭州了。不好意思，在吗？", "用户搬到杭州了"),
        ("我对花生过敏。不，不严重", "用户对花生过敏"),
        ("我有两个孩子。不，不需要玩具推荐", "用户有两个孩子"),
        ("我在学校工作，更正作业很累", "用户在学校工作，更正作业很累"),
    ],
)
def test_words_that_only_resemble_a_correction_change_nothing(text: str, content: str) -> None:
    """D18, D22."""
    assert kept(text) == [content]
