"""Parameter values for the queries of webhooks that their headers do not determine."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import NOW, OneOfEach


def _webhook(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": f"whk_{names.mark}"}


def _delivery(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": f"evt_{names.mark}", "ids": [f"evt_{names.mark}"], "properties": {"last_error": "another"}}


def _new(_names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"properties": {"id": f"whk_{secrets.token_hex(8)}", "url": "https://x.example"}, "most": 20}


def _events(_names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {
        "events": [{"type": "memory.saved", "occurred_at": NOW, "data": "{}", "user_ids": []}],
        "webhook_id": None,
    }


WEBHOOK_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "create_webhook": _new,
    "create_webhook_deliveries": _events,
    "delete_deliveries_of_webhook": lambda names, _: {"webhook_id": f"whk_{names.mark}", "limit": 10},
    "delete_webhook": _webhook,
    "delete_webhook_deliveries": _delivery,
    "get_webhook_deliveries": _delivery,
    "settle_webhook_delivery": _delivery,
}
