import { useDebouncedCallback } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useReducer, useRef } from "react";
import { useClient, useSubscription } from "urql";
import {
  MemoriesDocument,
  MemoryEventsDocument,
  type MemoryFilter,
  type MemoryOrder,
} from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { changeList, type ListChange, type MemoryList, NOTHING } from "./memoryList";

const PAGE = 60;
const MOST_ROWS = 500; // of what is loaded again at once
const SOON_MS = 250;

export interface Memories {
  readonly list: MemoryList;
  readonly loadMore: () => void;
  readonly reload: () => void;
  readonly change: (change: ListChange) => void;
}

/** Return the memories that match, as far as they were scrolled to; what other clients do to them shows by itself. */
export function useMemories(
  workspaceId: string | undefined,
  filter: MemoryFilter,
  orderBy: MemoryOrder,
): Memories {
  const client = useClient();
  const [list, change] = useReducer(changeList, NOTHING);
  const { epoch } = useServerState();
  const request = useRef(0);
  const loaded = useRef(list);
  useEffect(() => {
    loaded.current = list;
  });
  const asked = useMemo(() => ({ workspaceId, filter, orderBy }), [workspaceId, filter, orderBy]);

  const load = useCallback(
    async (first: number, after: string | null) => {
      const number = ++request.current;
      const variables = { ...asked, workspaceId: asked.workspaceId ?? null, first, after };
      const { data, error } = await client.query(MemoriesDocument, variables, {
        requestPolicy: "network-only",
      });
      if (number !== request.current) return; // another question was asked meanwhile
      if (data === undefined) change({ type: "failed", reason: reasonOf(error) });
      else change({ type: after === null ? "first" : "next", page: data.memories });
    },
    [client, asked],
  );
  const reload = useCallback(() => {
    change({ type: "asked", keepRows: true });
    void load(Math.min(Math.max(PAGE, loaded.current.rows.length), MOST_ROWS), null);
  }, [load]);
  const reloadSoon = useDebouncedCallback(reload, SOON_MS);

  useEffect(() => {
    change({ type: "asked", keepRows: false });
    void load(PAGE, null);
  }, [load]);
  useEffect(() => {
    if (epoch > 0) reloadSoon();
  }, [epoch, reloadSoon]);

  useSubscription(
    { query: MemoryEventsDocument, variables: { workspaceId: workspaceId ?? null } },
    (_, event) => {
      const { type, memoryId, memory } = event.memoryEvents;
      if (type === "DELETED") change({ type: "removed", id: memoryId });
      else if (type === "UPDATED" && memory) change({ type: "put", row: memory });
      else reloadSoon();
      return event;
    },
  );

  const { phase, hasMore, endCursor } = list;
  const loadMore = useCallback(() => {
    if (phase !== "ready" || !hasMore) return;
    change({ type: "askedMore" });
    void load(PAGE, endCursor);
  }, [phase, hasMore, endCursor, load]);

  return { list, loadMore, reload, change };
}
