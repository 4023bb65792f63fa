import { useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "urql";
import { GraphStartDocument, SurroundingsDocument, WaysDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import type { GraphAddress } from "./address";
import { type Drawing, endOf, NOTHING, withFound } from "./drawing";
import { gathered } from "./gathering";

const MOST_ENTITIES = 25; // that an overview starts from, and memories
const MOST_MEMORIES = 15;
const MOST_OVERVIEW = 150;
const MOST_AROUND = 100;

interface DrawingState {
  readonly drawing: Drawing;
  readonly phase: "loading" | "ready" | "failed";
  readonly reason: string | undefined; // why nothing, or not everything, could be loaded
  readonly isTruncated: boolean;
  readonly hasNoWay: boolean; // a way was asked for, and there is none
  readonly isOfNewest: boolean; // of an earlier day, looked for among the newest entities alone
  readonly reload: () => void;
}

type Loaded = Omit<DrawingState, "reload">;

const NOT_YET: Loaded = {
  drawing: NOTHING,
  phase: "loading",
  reason: undefined,
  isTruncated: false,
  hasNoWay: false,
  isOfNewest: false,
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
  const fresh = useRef(""); // the round that the server was asked in, not what this page keeps

  useEffect(() => {
    let isCurrent = true;
    const [expansions, ways] = JSON.parse(text) as [GraphAddress["expansions"], GraphAddress["ways"]];
    const round = `${attempt} ${epoch}`; // what is drawn first may have been deleted since it was kept
    const isOverview = expansions.length + ways.length === 0;
    const requestPolicy = fresh.current === round && !isOverview ? "cache-first" : "network-only";

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
        { requestPolicy },
      );
      if (data === undefined) throw new Error(reasonOf(error));
      const isThere = ({ node }: { readonly node: { readonly createdAt: string } }) =>
        asOf === null || Date.parse(node.createdAt) <= Date.parse(asOf);
      const start = [
        ...data.entities.edges.filter(isThere).slice(0, MOST_ENTITIES),
        ...data.memories.edges.filter(isThere).slice(0, MOST_MEMORIES),
      ].map(({ node }) => node.id);
      return {
        parts: start.length === 0 ? [] : [await around(start, null, MOST_OVERVIEW)],
        isOfNewest: asOf !== null && data.entities.pageInfo.hasNextPage,
      };
    };
    const expand = ({ id, type }: GraphAddress["expansions"][number]) =>
      around([id], type === null ? null : [type], MOST_AROUND);
    const load = async (): Promise<Loaded> => {
      if (isOverview) {
        const { parts, isOfNewest } = await overview();
        return { ...NOT_YET, drawing: withFound(NOTHING, parts), phase: "ready", isOfNewest };
      }
      const [surroundings, paths] = await Promise.all([
        gathered(expansions.map(expand)),
        gathered(ways.map(([from, to]) => between(from, to))),
      ]);
      const [reason] = [...surroundings.reasons, ...paths.reasons];
      if (reason !== undefined && surroundings.found.length + paths.found.length === 0)
        throw new Error(reason);
      return {
        drawing: withFound(NOTHING, [...surroundings.found, ...paths.found.flat()]),
        phase: "ready",
        reason,
        isTruncated: surroundings.found.some((part) => part.truncated),
        hasNoWay: paths.found.some((each) => each.length === 0),
        isOfNewest: false,
      };
    };
    load().then(
      (next) => {
        if (!isCurrent) return;
        fresh.current = round;
        setLoaded(next);
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
