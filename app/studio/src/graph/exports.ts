import { offerFile } from "../shell/offerFile";
import type { Drawing } from "./drawing";

/** Return what is shown as a value: nodes and edges, by their ids. */
function asJson(drawing: Drawing): { nodes: unknown[]; edges: unknown[] } {
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
  offerFile(name, JSON.stringify(asJson(drawing), null, 2));
}
