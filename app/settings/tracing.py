"""The standard variables of OpenTelemetry, which have no prefix of ours."""

from pydantic_settings import BaseSettings, SettingsConfigDict


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
