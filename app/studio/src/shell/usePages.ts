import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";

interface Connection<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** The part of a paged list that is loaded. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly phase: "loading" | "more" | "ready" | "failed";
  readonly reason: string | undefined;
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
  const find = useRef(connectionOf);
  useEffect(() => {
    find.current = connectionOf;
  });
  const text = JSON.stringify(variables); // equal variables ask nothing again

  const load = useCallback(
    async (after: string | null) => {
      const number = ++request.current;
      const asked = { ...(JSON.parse(text) as object), after } as unknown as Variables;
      const { data, error } = await client.query(document, asked, { requestPolicy: "network-only" });
      if (number !== request.current) return;
      if (data === undefined) {
        setLoaded((now) => ({ ...now, phase: "failed", reason: reasonOf(error) }));
        return;
      }
      const { edges, pageInfo } = find.current(data);
      const rows = edges.map((edge) => edge.node);
      setLoaded((now) => ({
        rows: after === null ? rows : [...now.rows, ...rows],
        phase: "ready",
        reason: undefined,
        hasMore: pageInfo.hasNextPage,
        endCursor: pageInfo.endCursor ?? null,
      }));
    },
    [client, document, text],
  );
  useEffect(() => {
    setLoaded(NOTHING);
    void load(null);
  }, [load]);
  useEffect(() => {
    if (epoch > 0) void load(null);
  }, [epoch, load]);

  return useMemo(() => {
    const { rows, phase, reason, hasMore, endCursor } = loaded;
    return {
      rows,
      phase,
      reason,
      hasMore,
      reload: () => void load(null),
      loadMore: () => {
        setLoaded((now) => ({ ...now, phase: "more" }));
        void load(endCursor);
      },
    };
  }, [loaded, load]);
}
