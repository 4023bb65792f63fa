/** How a memory may have come here, as `sourceType` says it. */
export const SOURCES = [
  "api",
  "user",
  "model",
  "extracted",
  "imported",
  "auto_research",
  "auto_deep_think",
  "auto_compaction",
] as const;

export type Source = (typeof SOURCES)[number];

export function isSource(name: string): name is Source {
  return SOURCES.some((each) => each === name);
}
