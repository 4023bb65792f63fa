import type { MemoryType, RecallInput, SimulateQuery } from "../../generated/operations";
import { dayIn, TYPES } from "../memories/filters";

export const STRATEGIES = ["HYBRID", "SEMANTIC", "EXACT", "RRF", "FAST"] as const;
type Strategy = (typeof STRATEGIES)[number];

export type Recalled = SimulateQuery["recall"];
export type Hit = Recalled["hits"][number];

/** How one recall is made; `RRF` is the hybrid one whose lists are joined by rank alone. */
export interface Setting {
  readonly strategy: Strategy;
  readonly limit: number;
  readonly budget: number; // tokens; 0: none
  readonly diversity: number;
}

/** All that the address says of the playground. */
export interface Simulation {
  readonly query: string;
  readonly types: readonly MemoryType[];
  readonly asOf: string;
  readonly threshold: number;
  readonly first: Setting;
  readonly second: Setting | null;
}

export const USUAL: Setting = { strategy: "HYBRID", limit: 10, budget: 0, diversity: 0 };
const MOST_HITS = 50;
const MOST_TOKENS = 8000;

function bounded(text: string | null, least: number, most: number, otherwise: number): number {
  const value = Number(text);
  return text === null || text === "" || Number.isNaN(value)
    ? otherwise
    : Math.min(most, Math.max(least, value));
}

function readSetting(search: URLSearchParams, prefix: string): Setting {
  const get = (name: string) => search.get(prefix + name);
  return {
    strategy: STRATEGIES.find((each) => each === get("strategy")?.toUpperCase()) ?? USUAL.strategy,
    limit: Math.round(bounded(get("limit"), 1, MOST_HITS, USUAL.limit)),
    budget: Math.round(bounded(get("budget"), 0, MOST_TOKENS, USUAL.budget)),
    diversity: bounded(get("diversity"), 0, 1, USUAL.diversity),
  };
}

function writeSetting(search: URLSearchParams, prefix: string, setting: Setting): void {
  if (setting.strategy !== USUAL.strategy) search.set(`${prefix}strategy`, setting.strategy.toLowerCase());
  if (setting.limit !== USUAL.limit) search.set(`${prefix}limit`, String(setting.limit));
  if (setting.budget !== USUAL.budget) search.set(`${prefix}budget`, String(setting.budget));
  if (setting.diversity !== USUAL.diversity) search.set(`${prefix}diversity`, String(setting.diversity));
}

export function readSimulation(search: URLSearchParams): Simulation {
  return {
    query: search.get("q") ?? "",
    types: TYPES.filter((type) => search.getAll("type").includes(type.toLowerCase())),
    asOf: dayIn(search.get("asof")),
    threshold: bounded(search.get("threshold"), 0, 1, 0),
    first: readSetting(search, ""),
    second: search.has("compare") ? readSetting(search, "b-") : null,
  };
}

/** Write a simulation as an address, with the parameters of the page that are none of its own. */
export function writeSimulation(
  simulation: Simulation,
  kept: readonly (readonly [string, string])[],
): URLSearchParams {
  const search = new URLSearchParams(kept.map(([name, value]) => [name, value]));
  if (simulation.query !== "") search.set("q", simulation.query);
  for (const type of simulation.types) search.append("type", type.toLowerCase());
  if (simulation.asOf !== "") search.set("asof", simulation.asOf);
  if (simulation.threshold > 0) search.set("threshold", String(simulation.threshold));
  writeSetting(search, "", simulation.first);
  if (simulation.second !== null) {
    search.set("compare", "1");
    writeSetting(search, "b-", simulation.second);
  }
  return search;
}

/** Return what is asked; a simulation leaves no trace in what was used and counted. */
export function toRecallInput(simulation: Simulation, setting: Setting): RecallInput {
  return {
    query: simulation.query.trim(),
    strategy: setting.strategy === "RRF" ? "HYBRID" : setting.strategy,
    ...(setting.strategy === "RRF" && { fusion: "RRF" as const }),
    limit: setting.limit,
    ...(setting.budget > 0 && { maxTokens: setting.budget }),
    diversity: setting.diversity,
    ...(simulation.types.length > 0 && { types: simulation.types }),
    ...(simulation.asOf !== "" && { validAt: new Date(`${simulation.asOf}T12:00:00`).toISOString() }),
    dryRun: true,
  };
}

const DISAGREES = /^disagrees with /; // shown as links, from `disagreesWith`

/** Return why a hit was found, without what it disagrees with. */
export function reasonsOf(why: readonly string[]): readonly string[] {
  return why.filter((reason) => !DISAGREES.test(reason));
}

/** Tell whether a hit has a relevance that does not reach the threshold. */
export function isBelow(hit: Hit, threshold: number): boolean {
  return (hit.relevance ?? 1) < threshold;
}

/** Return the threshold of a simulation, or else the one that the server has calibrated. */
export function thresholdOf(simulation: Simulation, recalled: Recalled): number {
  return simulation.threshold > 0 ? simulation.threshold : (recalled.resolution.threshold ?? 0);
}

/** Return how far each hit moved against another list: places up (positive) or down; null where it is new. */
export function movements(hits: readonly Hit[], other: readonly Hit[]): (number | null)[] {
  const before = new Map(other.map((hit, index) => [hit.memory.id, index]));
  return hits.map((hit, index) => {
    const at = before.get(hit.memory.id);
    return at === undefined ? null : at - index;
  });
}
