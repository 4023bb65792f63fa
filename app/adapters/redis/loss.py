"""The errors that a lost connection to Redis raises."""

from typing import Final

from redis.exceptions import RedisError

LOSS: Final = (RedisError, OSError, RuntimeError)
"""uvloop raises ``RuntimeError`` when something is written to a connection that was closed meanwhile."""
