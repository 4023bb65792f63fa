import type { NodeKind } from "../../generated/operations";
import { KINDS } from "./style";

/** From where the graph is drawn: the surroundings of a node, by one type of edges or any. */
interface Expansion {
  readonly id: string;
  readonly type: string | null;
}

/** All that the address says of the graph. */
export interface GraphAddress {
  readonly expansions: readonly Expansion[]; // none: an overview
  readonly ways: readonly (readonly [string, string])[];
  readonly selected: string | null;
  readonly hiddenIds: readonly string[];
  readonly hiddenKinds: readonly NodeKind[];
  readonly asOf: string;
}

const BETWEEN = "~";

function pair(text: string): [string, string | null] {
  const [first = "", second] = text.split(BETWEEN);
  return [first, second ?? null];
}

export function readGraph(search: URLSearchParams): GraphAddress {
  const asOf = search.get("asof") ?? "";
  return {
    expansions: search
      .getAll("from")
      .map(pair)
      .map(([id, type]) => ({ id, type })),
    ways: search
      .getAll("way")
      .map(pair)
      .flatMap(([a, b]) => (b === null ? [] : [[a, b] as const])),
    selected: search.get("node"),
    hiddenIds: search.getAll("hide"),
    hiddenKinds: KINDS.filter((kind) => search.getAll("without").includes(kind.toLowerCase())),
    asOf: /^\d{4}-\d{2}-\d{2}$/.test(asOf) ? asOf : "",
  };
}

/** Write what is drawn as an address; parameters that are none of the graph's are kept. */
export function writeGraph(graph: GraphAddress, now: URLSearchParams): URLSearchParams {
  const search = new URLSearchParams(now);
  for (const name of ["from", "way", "node", "hide", "without", "asof"]) search.delete(name);
  for (const { id, type } of graph.expansions)
    search.append("from", type === null ? id : id + BETWEEN + type);
  for (const way of graph.ways) search.append("way", way.join(BETWEEN));
  if (graph.selected !== null) search.set("node", graph.selected);
  for (const id of graph.hiddenIds) search.append("hide", id);
  for (const kind of graph.hiddenKinds) search.append("without", kind.toLowerCase());
  if (graph.asOf !== "") search.set("asof", graph.asOf);
  return search;
}

/** Return the expansions with another one, which may replace a narrower one of the same node. */
export function expanded(expansions: readonly Expansion[], id: string, type: string | null): Expansion[] {
  const others = expansions.filter((each) => each.id !== id || (type !== null && each.type !== type));
  const isKnown = expansions.some((each) => each.id === id && (each.type === null || each.type === type));
  return isKnown ? [...expansions] : [...others, { id, type }];
}
