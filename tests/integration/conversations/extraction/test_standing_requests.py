"""Standing requests and their replacements (D18, D21)."""


async def test_a_later_standing_request_replaces_the_earlier_one(talk) -> None:
    """D18, D21: only one name is pinned, never a denied one; a withdrawn request is removed."""
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
