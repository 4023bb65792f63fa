"""Settings for operators of the service."""

from pydantic import Field

from app.settings.group import SettingGroup


class GraphQLSettings(SettingGroup):
    """GraphQL."""

    introspection: bool = True
    """Allow queries about the schema; GraphiQL needs them for documentation and completion."""


class WebhooksSettings(SettingGroup):
    """Webhooks: deliveries to addresses that workspaces register; see the how-to guide on webhooks."""

    allow_private: bool = False
    """Allow webhooks to this machine and to private networks, and ``http://`` addresses."""


class MetricsSettings(SettingGroup):
    """A separate port for Prometheus and probes; administrators also find ``/metrics`` on the API's port."""

    port: int | None = Field(None, ge=0, le=65535)
    """Port for ``/metrics``, ``/ready`` and ``/health`` without a key; unset: none. A worker serves its metrics only
    there. 0: any free port."""
    host: str = "127.0.0.1"
    """Address that port listens on."""
