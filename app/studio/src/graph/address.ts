import type { NodeKind } from "../../generated/operations";
import { type Marks, marksOf, NO_MARKS, readMarks, writeMarks } from "./marks";
import { KINDS } from "./style";

/** From where the graph is drawn: the surroundings of a node, by one type of edges or any. */
export interface Expansion {
  readonly id: string;
  readonly type: string | null;
}

/** All that the address says of the graph. */
export interface GraphAddress {
  readonly expansions: readonly Expansion[]; // none: an overview
  readonly ways: readonly (readonly [string, string])[];
  readonly selected: string | null;
  readonly hiddenIds: readonly string[];
  readonly hiddenMarks: Marks; // in the place of ids, where there are many
  readonly chosenMarks: Marks; // by the lasso
  readonly hiddenKinds: readonly NodeKind[];
  readonly asOf: string;
  readonly isWhole: boolean; // false: the address was cut on its way
}

/** The two parts of an address that say what is drawn; servers never see the second. */
export interface Place {
  readonly search: URLSearchParams;
  readonly hash: string; // with its #, or empty
}

const BETWEEN = "~";
const MOST_IDS = 200; // hidden by their ids; servers and proxies refuse addresses of more than about 8 kB

function pair(text: string): [string, string | null] {
  const [first = "", second] = text.split(BETWEEN);
  return [first, second ?? null];
}

export function readGraph({ search, hash }: Place): GraphAddress {
  const asOf = search.get("asof") ?? "";
  const behind = new URLSearchParams(hash.slice(1));
  const [hidden, chosen] = ["hide", "chosen"].map((name) => {
    const text = behind.get(name);
    return text === null ? { marks: NO_MARKS, isWhole: true } : readMarks(text);
  });
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
    hiddenMarks: hidden?.marks ?? NO_MARKS,
    chosenMarks: chosen?.marks ?? NO_MARKS,
    isWhole: hidden?.isWhole !== false && chosen?.isWhole !== false,
    hiddenKinds: KINDS.filter((kind) => search.getAll("without").includes(kind.toLowerCase())),
    asOf: /^\d{4}-\d{2}-\d{2}$/.test(asOf) ? asOf : "",
  };
}

/** Write what is drawn as an address; parameters that are none of the graph's are kept. */
export function writeGraph(graph: GraphAddress, now: URLSearchParams): Place {
  const search = new URLSearchParams(now);
  for (const name of ["from", "way", "node", "hide", "without", "asof"]) search.delete(name);
  for (const { id, type } of graph.expansions)
    search.append("from", type === null ? id : id + BETWEEN + type);
  for (const way of graph.ways) search.append("way", way.join(BETWEEN));
  if (graph.selected !== null) search.set("node", graph.selected);
  for (const id of graph.hiddenIds) search.append("hide", id);
  for (const kind of graph.hiddenKinds) search.append("without", kind.toLowerCase());
  if (graph.asOf !== "") search.set("asof", graph.asOf);
  const behind = new URLSearchParams();
  if (graph.hiddenMarks.size > 0) behind.set("hide", writeMarks(graph.hiddenMarks));
  if (graph.chosenMarks.size > 0) behind.set("chosen", writeMarks(graph.chosenMarks));
  const hash = behind.toString();
  return { search, hash: hash === "" ? "" : `#${hash}` };
}

/** Return what is hidden with more nodes: by their ids, or, where these are many, by marks. */
export function hiddenWith(
  { hiddenIds, hiddenMarks }: Pick<GraphAddress, "hiddenIds" | "hiddenMarks">,
  ids: readonly string[],
): Pick<GraphAddress, "hiddenIds" | "hiddenMarks"> {
  const all = [...new Set([...hiddenIds, ...ids])];
  if (hiddenMarks.size === 0 && all.length <= MOST_IDS) return { hiddenIds: all, hiddenMarks };
  return { hiddenIds: [], hiddenMarks: new Set([...hiddenMarks, ...marksOf(all)]) };
}

/** Return the expansions with another one, which may replace a narrower one of the same node. */
export function expanded(expansions: readonly Expansion[], id: string, type: string | null): Expansion[] {
  const others = expansions.filter((each) => each.id !== id || (type !== null && each.type !== type));
  const isKnown = expansions.some((each) => each.id === id && (each.type === null || each.type === type));
  return isKnown ? [...expansions] : [...others, { id, type }];
}
