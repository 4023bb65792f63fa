"""Results of the proxy's calls that wait for the results of the caller's calls (K12)."""

from itertools import repeat

from redis.asyncio import Redis

from tests.fixtures.upstream import Says

ASKED = [{"role": "user", "content": "What do I drink in the morning?"}]
WEATHER = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}},
}


async def test_results_are_sent_in_their_own_conversation_only(chat_proxy, upstream) -> None:
    """K12: although the upstream restarts its call ids in each conversation."""
    await chat_proxy.remembers("The user drinks green tea in the morning")
    upstream.numbers = repeat(7)
    mixed = Says(calls=(("weather", {}), ("x_recall_memory", {"query": "green tea"})))
    upstream.answers = [mixed, Says(calls=(("weather", {}),)), Says("It rains.")]
    client = chat_proxy.client()
    await client.chat.completions.create(model="m", messages=ASKED, tools=[WEATHER])

    another = [{"role": "user", "content": "Do I need an umbrella?"}]
    answer = await client.chat.completions.create(model="m", messages=another, tools=[WEATHER])
    said = answer.choices[0].message.model_dump(exclude_none=True)
    result = {"role": "tool", "tool_call_id": "call_7_0", "content": "rain"}
    await client.chat.completions.create(model="m", messages=[*another, said, result], tools=[WEATHER])

    assert [message["role"] for message in upstream.requests[-1].body["messages"]] == [
        "user",
        "assistant",
        "tool",
    ]
    assert b"green tea" not in upstream.requests[-1].raw


async def test_the_users_text_is_stored_for_a_day(chat_proxy, upstream, redis_url) -> None:
    """K12: without a conversation id, a deleted conversation does not remove it."""
    upstream.answers = [Says(calls=(("weather", {}),))]
    weather = {"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {}}}

    await chat_proxy.client().responses.create(model="m", input="Does it rain?", tools=[weather])

    async with Redis.from_url(redis_url) as redis:
        kept = redis.scan_iter(match=f"*{chat_proxy.workspace_id}*:x_asked")
        (seconds,) = [await redis.ttl(key) async for key in kept]
    assert 0 < seconds <= 86_400
