"""What is extracted belongs to whom the conversation does, and what one user deletes is held against nobody else."""

from graph.core.scope import ReadScope, seeing


async def test_facts_belong_to_the_user_of_their_conversation(talk) -> None:
    """D1, I2."""
    shared = talk.elsewhere(id="shared")
    bobs = talk.elsewhere(id="bobs")
    await talk.say("I like apples.", user_id="alice", agent_id="tutor")
    await bobs.say("I don't like apples.", user_id="bob")
    await shared.say("I like pears.")
    await talk.pass_by(30)

    found = {
        (memory.user_id, memory.agent_id, memory.key): memory.content for memory in await talk.memories()
    }

    assert set(found) == {
        ("alice", "tutor", "preference:apples"),
        ("bob", None, "preference:apples"),
        (None, None, "preference:pears"),
    }
    assert found["alice", "tutor", "preference:apples"] != found["bob", None, "preference:apples"]


async def test_what_one_user_deletes_may_still_be_known_of_another(talk) -> None:
    """D20."""
    await talk.say("I like apples.", user_id="alice")
    await talk.pass_by(30)
    (memory,) = await talk.memories()
    with seeing(ReadScope(user_id="alice")):
        await talk.services.memories.deletion.delete(talk.workspace_id, memory.id)

    for user in ("alice", "bob"):
        await talk.elsewhere(id=f"later of {user}").say("I like apples.", user_id=user)
    await talk.pass_by(30)

    assert [(memory.user_id, memory.key) for memory in await talk.memories()] == [
        ("bob", "preference:apples")
    ]
