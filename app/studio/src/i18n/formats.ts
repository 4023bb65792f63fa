import { useTranslation } from "react-i18next";

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Say how long ago (or ahead) a moment is, in the largest unit that fits. */
export function relativeTime(iso: string, language: string, now: number = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const fitting = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return fitting ? format.format(Math.trunc(seconds / fitting[1]), fitting[0]) : format.format(0, "second");
}

const SECONDS_FROM_MS = 10_000;

/** Write how long something took: in whole seconds from ten on, in milliseconds before. */
function writtenDuration(ms: number, language: string): string {
  const [value, unit] =
    ms >= SECONDS_FROM_MS ? ([ms / 1000, "second"] as const) : ([ms, "millisecond"] as const);
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 0,
  }).format(value);
}

interface Formats {
  readonly ago: (iso: string) => string;
  readonly counted: (count: number, isMore: boolean) => string; // 20+: these, and more that are not counted
  readonly date: (iso: string) => string;
  readonly duration: (ms: number) => string;
  readonly number: (value: number, digits?: number) => string;
  readonly percent: (share: number) => string;
}

/** Return how dates and numbers are written in the language in use. */
export function useFormats(): Formats {
  const language = useTranslation().i18n.language;
  const number = (value: number, digits = 0) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  return {
    ago: (iso) => relativeTime(iso, language),
    counted: (count, isMore) => `${number(count)}${isMore ? "+" : ""}`,
    date: (iso) =>
      new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso)),
    duration: (ms) => writtenDuration(ms, language),
    number,
    percent: (share) =>
      new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share),
  };
}
