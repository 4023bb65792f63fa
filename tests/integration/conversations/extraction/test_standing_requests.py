"""What is asked once and for all, and what takes its place (D18, D21)."""


async def test_a_later_standing_request_replaces_the_earlier_one(talk) -> None:
    """D18, D21: one name at a time is pinned, and not the one that is denied; a request that is taken back goes."""
    for text, content in (
        ("From now on, call me Sam.", "The user asked to call them Sam"),
        ("From now on, call me Alex.", "The user asked to call them Alex"),
        ("Please don't call me Sam anymore.", "The user asked to call them Alex"),
        ("Please don't call me Alex anymore.", "The user asked not to call them Alex"),
    ):
        await talk.say(text)
        await talk.pass_by(30)

        (memory,) = await talk.memories()
        assert (memory.content, memory.tags) == (content, ("pinned",))
