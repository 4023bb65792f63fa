import type {
  MemoryFacet,
  MemoryFilter,
  MemoryKind,
  MemoryOrder,
  MemoryType,
} from "../../generated/operations";

export const TYPES: readonly MemoryType[] = [
  "PREFERENCE",
  "DECISION",
  "INSIGHT",
  "PATTERN",
  "HABIT",
  "STYLE",
  "CONTEXT",
];
export const KINDS: readonly MemoryKind[] = ["FACTUAL", "EPISODIC", "PROCEDURAL", "SEMANTIC"];
export const FACETS: readonly MemoryFacet[] = ["SKILL", "PREFERENCE", "OBJECTIVE", "CONTEXT"];
export const ORDERS: readonly MemoryOrder[] = [
  "CREATED_AT",
  "UPDATED_AT",
  "TIMESTAMP",
  "IMPORTANCE",
  "USAGE_COUNT",
];

/** What the list is narrowed to, as it stands in the address. */
export interface Filters {
  readonly text: string;
  readonly types: readonly MemoryType[];
  readonly kinds: readonly MemoryKind[];
  readonly tags: readonly string[];
  readonly sources: readonly string[];
  readonly minImportance: number;
  readonly since: string;
  readonly until: string;
  readonly order: MemoryOrder;
}

export const NO_FILTERS: Filters = {
  text: "",
  types: [],
  kinds: [],
  tags: [],
  sources: [],
  minImportance: 0,
  since: "",
  until: "",
  order: "CREATED_AT",
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function oneOf<T extends string>(known: readonly T[], name: string | null): T | undefined {
  return known.find((each) => each === name?.toUpperCase());
}

function someOf<T extends string>(known: readonly T[], names: readonly string[]): T[] {
  return known.filter((each) => names.some((name) => name.toUpperCase() === each));
}

/** Return the day, `YYYY-MM-DD`, that an address names; empty where it is none. */
export function dayIn(text: string | null): string {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`)) ? text : "";
}

/** Read filters from an address; what is no filter is left out. */
export function readFilters(search: URLSearchParams): Filters {
  const importance = Number(search.get("importance") ?? 0);
  return {
    text: search.get("q") ?? "",
    types: someOf(TYPES, search.getAll("type")),
    kinds: someOf(KINDS, search.getAll("kind")),
    tags: search.getAll("tag"),
    sources: search.getAll("source"),
    minImportance: importance > 0 && importance <= 1 ? importance : 0,
    since: dayIn(search.get("since")),
    until: dayIn(search.get("until")),
    order: oneOf(ORDERS, search.get("order")) ?? NO_FILTERS.order,
  };
}

/** Write filters into an address, beside the parameters that are not theirs. */
export function writeFilters(filters: Filters, search: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(search);
  for (const name of ["q", "type", "kind", "tag", "source", "importance", "since", "until", "order"])
    written.delete(name);
  const put = (name: string, values: readonly string[]) =>
    values.forEach((value) => written.append(name, value));
  put("q", filters.text === "" ? [] : [filters.text]);
  put(
    "type",
    filters.types.map((type) => type.toLowerCase()),
  );
  put(
    "kind",
    filters.kinds.map((kind) => kind.toLowerCase()),
  );
  put("tag", filters.tags);
  put("source", filters.sources);
  put("importance", filters.minImportance > 0 ? [String(filters.minImportance)] : []);
  put("since", filters.since === "" ? [] : [filters.since]);
  put("until", filters.until === "" ? [] : [filters.until]);
  put("order", filters.order === NO_FILTERS.order ? [] : [filters.order.toLowerCase()]);
  return written;
}

/** Return the moment at which a day of the browser's clock, `YYYY-MM-DD`, begins. */
export function startOf(localDay: string): string {
  return new Date(`${localDay}T00:00:00`).toISOString();
}

/** Return the day of the browser's clock, `YYYY-MM-DD`, on which a moment is. */
export function dayOf(moment: string): string {
  const at = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function startOfNext(localDay: string): string {
  const next = new Date(`${localDay}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next.toISOString();
}

/** Return what the server is asked for; days are those of the browser's clock, the last one included. */
export function toMemoryFilter(filters: Filters): MemoryFilter {
  return {
    ...(filters.text.trim() !== "" && { text: filters.text.trim() }),
    ...(filters.types.length > 0 && { types: filters.types }),
    ...(filters.kinds.length > 0 && { kinds: filters.kinds }),
    ...(filters.tags.length > 0 && { allTags: filters.tags }),
    ...(filters.sources.length > 0 && { sourceTypes: filters.sources }),
    ...(filters.minImportance > 0 && { minImportance: filters.minImportance }),
    ...(filters.since !== "" && { since: startOf(filters.since) }),
    ...(filters.until !== "" && { until: startOfNext(filters.until) }),
  };
}

/** Return how many of the filters behind the button narrow the list. */
export function countFilters(filters: Filters): number {
  return (
    filters.kinds.length +
    filters.tags.length +
    filters.sources.length +
    [filters.minImportance > 0, filters.since !== "", filters.until !== ""].filter(Boolean).length
  );
}
