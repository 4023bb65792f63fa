"""Settings for operators of the service."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.settings.values import SettingGroup


class TracingSettings(BaseSettings):
    """The standard variables; OpenTelemetry itself reads those of the exporter and the sampler."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, use_attribute_docstrings=True)

    otel_exporter_otlp_endpoint: str | None = None
    """``OTEL_EXPORTER_OTLP_ENDPOINT``: base address of a collector that speaks OTLP over HTTP; unset: no traces."""
    otel_exporter_otlp_traces_endpoint: str | None = None
    """``OTEL_EXPORTER_OTLP_TRACES_ENDPOINT``: the same for traces alone, as a whole address."""
    otel_sdk_disabled: bool = False
    """``OTEL_SDK_DISABLED``: off in spite of an address."""
    otel_service_name: str = "recollect"
    """``OTEL_SERVICE_NAME``: who the spans are of."""

    @property
    def is_on(self) -> bool:
        """True if spans are exported."""
        named = self.otel_exporter_otlp_endpoint or self.otel_exporter_otlp_traces_endpoint
        return named is not None and not self.otel_sdk_disabled


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
