"""The settings of whoever operates the service."""

from pydantic import Field

from app.settings.group import SettingGroup


class GraphQLSettings(SettingGroup):
    """Settings of GraphQL."""

    introspection: bool = True
    """Whether queries may ask about the schema, as GraphiQL does for its documentation and completion."""


class WebhooksSettings(SettingGroup):
    """Deliveries to addresses that workspaces register; see the how-to guide on webhooks."""

    allow_private: bool = False
    """Whether webhooks may lead to this machine and to private networks, and begin with ``http://``."""


class MetricsSettings(SettingGroup):
    """A port of its own for Prometheus and probes; besides, ``/metrics`` is on the API's port for administrators."""

    port: int | None = Field(None, ge=0, le=65535)
    """Where ``/metrics``, ``/ready`` and ``/health`` answer whoever can reach the port, without a key; unset: nowhere.
    A worker, which has no API, tells its measurements only there. 0 takes any free port."""
    host: str = "127.0.0.1"
    """Address that port listens on."""
