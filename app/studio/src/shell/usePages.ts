import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { type Connection, loadRows } from "./loadRows";

/** The part of a paged list that is loaded. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly phase: "loading" | "more" | "ready" | "failed";
  readonly reason?: string | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

interface Loaded<Row> extends Pick<Pages<Row>, "rows" | "phase" | "reason" | "hasMore"> {
  readonly endCursor: string | null;
}

const NOTHING: Loaded<never> = {
  rows: [],
  phase: "loading",
  reason: undefined,
  hasMore: false,
  endCursor: null,
};

/**
 * Return a list that the server sends in pages, as far as it was asked for.
 *
 * `variables` without `after`; the list begins again where they change. `connectionOf` finds the page in an answer.
 * Loading again keeps its length.
 */
export function usePages<Data, Variables extends AnyVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables & object, "after">,
  connectionOf: (data: Data) => Connection<Row>,
): Pages<Row> {
  const client = useClient();
  const { epoch } = useServerState();
  const [loaded, setLoaded] = useState<Loaded<Row>>(NOTHING);
  const request = useRef(0);
  const isAsking = useRef(false);
  const isOutdated = useRef(false); // what is being asked for is to be asked for once more
  const wanted = useRef(0); // rows, among them those that are on their way
  const find = useRef(connectionOf);
  useEffect(() => {
    find.current = connectionOf;
    if (loaded.phase === "ready") wanted.current = loaded.rows.length;
  });
  const text = JSON.stringify(variables); // equal variables ask nothing again

  const load = useCallback(
    async (least: number, after: string | null) => {
      const number = ++request.current;
      isAsking.current = true;
      if (after === null) isOutdated.current = false;
      const { page, reason } = await loadRows<Connection<Row>>(least, after, async (_, from) => {
        if (number !== request.current) return {};
        const asked = { ...(JSON.parse(text) as object), after: from } as unknown as Variables;
        const { data, error } = await client.query(document, asked, { requestPolicy: "network-only" });
        return data === undefined ? { reason: reasonOf(error) } : { page: find.current(data) };
      });
      if (number !== request.current) return;
      isAsking.current = false;
      if (page === undefined) {
        setLoaded((now) => ({ ...now, phase: "failed", reason }));
        return;
      }
      const rows = page.edges.map((edge) => edge.node);
      setLoaded((now) => ({
        rows: after === null ? rows : [...now.rows, ...rows],
        phase: "ready",
        reason: undefined,
        hasMore: page.pageInfo.hasNextPage,
        endCursor: page.pageInfo.endCursor ?? null,
      }));
    },
    [client, document, text],
  );
  const reload = useCallback(() => {
    if (isAsking.current) isOutdated.current = true;
    else void load(wanted.current, null);
  }, [load]);
  useEffect(() => {
    if (!isAsking.current && isOutdated.current) reload();
  });
  useEffect(() => {
    setLoaded(NOTHING);
    wanted.current = 0;
    void load(0, null);
  }, [load]);
  useEffect(() => {
    if (epoch > 0) reload();
  }, [epoch, reload]);

  return useMemo(() => {
    const { rows, phase, reason, hasMore, endCursor } = loaded;
    return {
      rows,
      phase,
      reason,
      hasMore,
      reload,
      loadMore: () => {
        wanted.current = rows.length + 1;
        isOutdated.current ||= isAsking.current; // the newer answer is not waited for
        setLoaded((now) => ({ ...now, phase: "more" }));
        void load(0, endCursor);
      },
    };
  }, [loaded, load, reload]);
}
