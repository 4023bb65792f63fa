"""The settings of whoever operates the service."""

from pydantic import Field

from app.settings.group import SettingGroup


class GraphQLSettings(SettingGroup):
    """What one GraphQL query may ask for; its text, depth, aliases and fields are bounded as well."""

    max_cost: int = Field(20_000, ge=1, le=10_000_000)
    """How many objects the answer to one query may hold at most, going by the sizes it asks for."""
    introspection: bool = True
    """Whether queries may ask about the schema, as GraphiQL does for its documentation and completion."""


class WebhooksSettings(SettingGroup):
    """Deliveries to addresses that workspaces register; see the how-to guide on webhooks."""

    allow_private: bool = False
    """Whether webhooks may lead to this machine and to private networks, and begin with ``http://``."""
    timeout_seconds: float = Field(10.0, gt=0, le=50)
    """How long one delivery may take; less than the lease of a job."""


class MetricsSettings(SettingGroup):
    """A port of its own for Prometheus and probes; besides, ``/metrics`` is on the API's port for administrators."""

    port: int | None = Field(None, ge=0, le=65535)
    """Where ``/metrics``, ``/ready`` and ``/health`` answer whoever can reach the port, without a key; unset: nowhere.
    A worker, which has no API, tells its measurements only there. 0 takes any free port."""
    host: str = "127.0.0.1"
    """Address that port listens on."""
