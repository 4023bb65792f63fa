import type { DrawnEdgeFragment, NodeKind, SurroundingsQuery } from "../../generated/operations";

type Found = Omit<SurroundingsQuery["traverse"]["nodes"][number], "depth">;

export interface DrawnNode {
  readonly id: string;
  readonly globalId: string; // by which it is found from another workspace's key
  readonly kind: NodeKind;
  readonly type: string | null;
  readonly caption: string;
  readonly since: string | null; // when it came to be here
  readonly until: string | null; // when it ceased to be true
}

export interface DrawnEdge extends Pick<DrawnEdgeFragment, "type" | "fromId" | "toId"> {
  readonly key: string;
  readonly strength: number | null;
}

/** What was found so far; nodes and edges stand once each. */
export interface Drawing {
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly edges: ReadonlyMap<string, DrawnEdge>;
}

export const NOTHING: Drawing = { nodes: new Map(), edges: new Map() };

function nodeOf(found: Found): DrawnNode {
  const times = (found.node ?? {}) as Partial<Record<"createdAt" | "startedAt" | "tInvalid", string | null>>;
  return {
    id: found.id,
    globalId: found.node?.globalId ?? found.id,
    kind: found.kind,
    type: found.type ?? null,
    caption: found.caption ?? found.id,
    since: times.createdAt ?? times.startedAt ?? null,
    until: times.tInvalid ?? null,
  };
}

/** Return the drawing with what was found beside it; edges of which an end is missing are left out. */
export function withFound(
  drawing: Drawing,
  found: readonly { readonly nodes: readonly Found[]; readonly edges: readonly DrawnEdgeFragment[] }[],
): Drawing {
  const nodes = new Map(drawing.nodes);
  const edges = new Map(drawing.edges);
  for (const part of found) for (const each of part.nodes) nodes.set(each.id, nodeOf(each));
  for (const part of found)
    for (const { type, fromId, toId, strength } of part.edges) {
      if (!nodes.has(fromId) || !nodes.has(toId)) continue;
      const key = `${fromId} ${type} ${toId}`;
      edges.set(key, { key, type, fromId, toId, strength: strength ?? null });
    }
  return { nodes, edges };
}

/** What of a drawing is shown. */
export interface Narrowing {
  readonly hiddenIds: readonly string[];
  readonly hiddenKinds: readonly NodeKind[];
  readonly asOf: string; // a day; empty: now
}

/** Return what is shown: without what is hidden, what came later, and what was not true any more at that time. */
export function narrowed(drawing: Drawing, { hiddenIds, hiddenKinds, asOf }: Narrowing): Drawing {
  const hidden = new Set(hiddenIds);
  const moment = asOf === "" ? null : new Date(`${asOf}T23:59:59.999`).getTime();
  const isThere = ({ since, until }: DrawnNode) =>
    moment === null ||
    ((since === null || new Date(since).getTime() <= moment) &&
      (until === null || new Date(until).getTime() > moment));
  const nodes = new Map(
    [...drawing.nodes].filter(
      ([id, node]) => !hidden.has(id) && !hiddenKinds.includes(node.kind) && isThere(node),
    ),
  );
  const edges = new Map(
    [...drawing.edges].filter(([, edge]) => nodes.has(edge.fromId) && nodes.has(edge.toId)),
  );
  return { nodes, edges };
}

/** Return how many nodes there are of each kind, the most first. */
export function kindCounts(drawing: Drawing): [NodeKind, number][] {
  const counts = new Map<NodeKind, number>();
  for (const { kind } of drawing.nodes.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Return the first and the last day on which nodes of a drawing came to be; null where fewer than two differ. */
export function daysOf(drawing: Drawing): readonly [string, string] | null {
  const days = [...drawing.nodes.values()]
    .flatMap(({ since }) => (since === null ? [] : [since.slice(0, 10)]))
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined || first === last ? null : [first, last];
}
