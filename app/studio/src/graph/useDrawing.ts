import { useEffect, useMemo, useState } from "react";
import { useClient } from "urql";
import { GraphStartDocument, SurroundingsDocument, WaysDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import type { GraphAddress } from "./address";
import { type Drawing, endOf, NOTHING, withFound } from "./drawing";

const MOST_ENTITIES = 25; // that an overview starts from, and memories
const MOST_MEMORIES = 15;
const MOST_OVERVIEW = 150;
const MOST_AROUND = 100;

export interface DrawingState {
  readonly drawing: Drawing;
  readonly phase: "loading" | "ready" | "failed";
  readonly reason: string | undefined;
  readonly isTruncated: boolean;
  readonly hasNoWay: boolean; // a way was asked for, and there is none
  readonly reload: () => void;
}

type Loaded = Omit<DrawingState, "reload">;

const NOT_YET: Loaded = {
  drawing: NOTHING,
  phase: "loading",
  reason: undefined,
  isTruncated: false,
  hasNoWay: false,
};

/** Return what the address asks to be drawn, as of its day; an overview of the workspace where it asks for nothing. */
export function useDrawing(
  workspaceId: string | null,
  graph: Pick<GraphAddress, "expansions" | "ways" | "asOf">,
): DrawingState {
  const client = useClient();
  const { epoch } = useServerState();
  const [loaded, setLoaded] = useState<Loaded>(NOT_YET);
  const [attempt, setAttempt] = useState(0);
  const text = JSON.stringify([graph.expansions, graph.ways]);
  const asOf = endOf(graph.asOf);

  useEffect(() => {
    let isCurrent = true;
    const [expansions, ways] = JSON.parse(text) as [GraphAddress["expansions"], GraphAddress["ways"]];
    const requestPolicy = attempt + epoch > 0 ? "network-only" : "cache-first";

    const around = async (start: readonly string[], types: string[] | null, limit: number) => {
      const input = { start, types, depth: 1, limit, asOf };
      const answer = await client.query(SurroundingsDocument, { workspaceId, input }, { requestPolicy });
      if (answer.data === undefined) throw new Error(reasonOf(answer.error));
      return answer.data.traverse;
    };
    const between = async (from: string, to: string) => {
      const answer = await client.query(WaysDocument, { workspaceId, from, to, asOf }, { requestPolicy });
      if (answer.data === undefined) throw new Error(reasonOf(answer.error));
      return answer.data.paths;
    };
    const overview = async () => {
      const { data, error } = await client.query(
        GraphStartDocument,
        { workspaceId, asOf },
        { requestPolicy: "network-only" },
      );
      if (data === undefined) throw new Error(reasonOf(error));
      const isThere = ({ node }: { readonly node: { readonly createdAt: string } }) =>
        asOf === null || Date.parse(node.createdAt) <= Date.parse(asOf);
      const start = [
        ...data.entities.edges.filter(isThere).slice(0, MOST_ENTITIES),
        ...data.memories.edges.filter(isThere).slice(0, MOST_MEMORIES),
      ].map(({ node }) => node.id);
      return start.length === 0 ? [] : [await around(start, null, MOST_OVERVIEW)];
    };
    const load = async (): Promise<Loaded> => {
      const asked = expansions.length + ways.length;
      const parts =
        asked === 0
          ? await overview()
          : await Promise.all(
              expansions.map(({ id, type }) => around([id], type === null ? null : [type], MOST_AROUND)),
            );
      const found = await Promise.all(ways.map(([from, to]) => between(from, to)));
      return {
        drawing: withFound(NOTHING, [...parts, ...found.flat()]),
        phase: "ready",
        reason: undefined,
        isTruncated: asked > 0 && parts.some((part) => part.truncated),
        hasNoWay: found.some((each) => each.length === 0),
      };
    };
    load().then(
      (next) => {
        if (isCurrent) setLoaded(next);
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : undefined;
        if (isCurrent) setLoaded((now) => ({ ...now, phase: "failed", reason }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, workspaceId, text, asOf, attempt, epoch]);

  return useMemo(() => ({ ...loaded, reload: () => setAttempt((now) => now + 1) }), [loaded]);
}
