import type { DrawnEdgeFragment, NodeKind, SurroundingsQuery } from "../../generated/operations";

type Found = Omit<SurroundingsQuery["traverse"]["nodes"][number], "depth">;

export interface DrawnNode {
  readonly id: string;
  readonly globalId: string; // by which it is found from another workspace's key
  readonly kind: NodeKind;
  readonly type: string | null;
  readonly caption: string;
  readonly since: string | null; // when it came to be here
}

interface DrawnEdge extends Pick<DrawnEdgeFragment, "type" | "fromId" | "toId"> {
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
  const times = (found.node ?? {}) as Partial<Record<"createdAt" | "startedAt", string | null>>;
  return {
    id: found.nodeId,
    globalId: found.node?.globalId ?? found.nodeId,
    kind: found.kind,
    type: found.type ?? null,
    caption: found.caption ?? found.nodeId,
    since: times.createdAt ?? times.startedAt ?? null,
  };
}

/** Return the drawing with what was found beside it; edges of which an end is missing are left out. */
export function withFound(
  drawing: Drawing,
  found: readonly { readonly nodes: readonly Found[]; readonly edges: readonly DrawnEdgeFragment[] }[],
): Drawing {
  const nodes = new Map(drawing.nodes);
  const edges = new Map(drawing.edges);
  for (const part of found) for (const each of part.nodes) nodes.set(each.nodeId, nodeOf(each));
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
}

/** Return what is shown: without what is hidden. */
export function narrowed(drawing: Drawing, { hiddenIds, hiddenKinds }: Narrowing): Drawing {
  const hidden = new Set(hiddenIds);
  const nodes = new Map(
    [...drawing.nodes].filter(([id, { kind }]) => !hiddenKinds.includes(kind) && !hidden.has(id)),
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

/**
 * Return the days as of which the graph can be shown: from the first of the workspace or of what is drawn, whichever is
 * earlier, until today; null where that is one day.
 */
export function daysOf(
  drawing: Drawing,
  begun: string | null,
  now: string,
): readonly [string, string] | null {
  const moments = [...drawing.nodes.values()].flatMap(({ since }) => since ?? []);
  const first = [...moments, begun ?? now].map((moment) => moment.slice(0, 10)).sort()[0] ?? "";
  const last = now.slice(0, 10);
  return first < last ? [first, last] : null;
}

/** Return the end of a day of UTC as a moment; null for no day. */
export function endOf(day: string): string | null {
  return day === "" ? null : `${day}T23:59:59.999Z`;
}
