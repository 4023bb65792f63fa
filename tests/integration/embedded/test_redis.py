"""The embedded Redis: a real server over a Unix socket that is restarted when it dies."""

from redis.asyncio import Redis


async def test_redis_of_the_test_run_answers(redis_url):
    async with Redis.from_url(redis_url) as client:
        assert await client.ping() is True
