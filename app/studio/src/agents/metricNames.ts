import type { TFunction } from "i18next";

/** The metrics that every workspace has, as the server names them. */
export const BUILT_IN = [
  "success_rate",
  "error_rate",
  "dead_end_rate",
  "mean_latency_ms",
  "sequence_count",
  "pattern_count",
] as const;

type BuiltIn = (typeof BUILT_IN)[number];

function isBuiltIn(metric: string): metric is BuiltIn {
  return BUILT_IN.some((each) => each === metric);
}

/** Return what a metric is called: a custom one by the name it was given. */
export function nameOf(metric: string, t: TFunction): string {
  return isBuiltIn(metric) ? t(`metric.${metric}`) : metric;
}

/** Return whether a metric is a share of something, to be written in percent. */
export function isShare(metric: string): boolean {
  return isBuiltIn(metric) && metric.endsWith("_rate");
}
