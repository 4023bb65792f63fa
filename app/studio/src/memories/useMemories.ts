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
import { loadRows } from "../shell/loadRows";
import {
  changeList,
  type ListChange,
  mayMove,
  type MemoriesPage,
  type MemoryList,
  NOTHING,
} from "./memoryList";

const PAGE = 60;
const MOST_AT_ONCE = 200; // that the server lists
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
  const isAsking = useRef(false);
  const isOutdated = useRef(false); // what is being asked for is to be asked for once more
  const loaded = useRef(list);
  const asked = useMemo(() => ({ workspaceId, filter, orderBy }), [workspaceId, filter, orderBy]);

  const load = useCallback(
    async (count: number, after: string | null) => {
      const number = ++request.current;
      isAsking.current = true;
      if (after === null) isOutdated.current = false;
      const { page, reason } = await loadRows<MemoriesPage>(count, after, async (missing, from) => {
        if (number !== request.current) return {};
        const variables = {
          ...asked,
          workspaceId: asked.workspaceId ?? null,
          first: Math.min(missing, MOST_AT_ONCE),
          after: from,
        };
        const { data, error } = await client.query(MemoriesDocument, variables, {
          requestPolicy: "network-only",
        });
        return { page: data?.memories, reason: reasonOf(error) };
      });
      if (number !== request.current) return; // another question was asked meanwhile
      isAsking.current = false;
      if (page === undefined) change({ type: "failed", reason });
      else change({ type: after === null ? "first" : "next", page });
    },
    [client, asked],
  );
  const reload = useCallback(() => {
    if (isAsking.current) {
      isOutdated.current = true; // begun again each time something happens, a long list would never be there
      return;
    }
    change({ type: "asked", keepRows: true });
    void load(Math.max(PAGE, loaded.current.rows.length), null);
  }, [load]);
  const reloadSoon = useDebouncedCallback(reload, SOON_MS);
  useEffect(() => {
    loaded.current = list;
    if (isAsking.current || !isOutdated.current) return;
    isOutdated.current = false;
    reloadSoon();
  });

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
      if (type === "DELETED") {
        change({ type: "removed", id: memoryId });
        if (isAsking.current) reload(); // whether it is counted in what comes nobody knows
        return event;
      }
      const isPut = type === "UPDATED" && memory !== null && memory !== undefined;
      if (isPut) change({ type: "put", row: memory });
      if (!isPut || mayMove(loaded.current, memoryId, asked)) reloadSoon();
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
