import type { Drawing } from "./drawing";

/** Return what is shown as a value: nodes and edges, by their ids. */
export function asJson(drawing: Drawing): { nodes: unknown[]; edges: unknown[] } {
  return {
    nodes: [...drawing.nodes.values()].map(({ id, kind, type, caption, since }) => ({
      id,
      kind,
      type,
      caption,
      createdAt: since,
    })),
    edges: [...drawing.edges.values()].map(({ type, fromId, toId, strength }) => ({
      type,
      fromId,
      toId,
      strength,
    })),
  };
}

/** Offer what is shown as a file. */
export function downloadJson(drawing: Drawing, name: string): void {
  const file = new Blob([JSON.stringify(asJson(drawing), null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
