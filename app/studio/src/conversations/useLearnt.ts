import { useEffect, useMemo } from "react";
import type { MemoryRow } from "../memories/memoryList";
import { useMemories } from "../memories/useMemories";
import { type MemoryActions, useMemoryActions } from "../memories/useMemoryActions";
import { useWorkspaceId } from "../server/workspace";

/** What was learnt from one conversation, as far as it is loaded. */
export interface Learnt {
  readonly rows: readonly MemoryRow[];
  readonly total: number;
  readonly of: (messageId: string) => readonly MemoryRow[];
  readonly actions: MemoryActions;
}

const NONE: readonly MemoryRow[] = [];

/** Return the rows by the messages they were taken from, the earliest first; those of no message are under null. */
export function byMessage(rows: readonly MemoryRow[]): ReadonlyMap<string | null, readonly MemoryRow[]> {
  const found = new Map<string | null, MemoryRow[]>();
  for (const row of rows.toReversed()) {
    const id = row.sourceMessageId ?? null;
    found.set(id, [...(found.get(id) ?? []), row]);
  }
  return found;
}

/** Return what was learnt from a conversation; new memories and changes show by themselves. */
export function useLearnt(conversationId: string): Learnt {
  const workspaceId = useWorkspaceId();
  const filter = useMemo(() => ({ conversationId }), [conversationId]);
  const memories = useMemories(workspaceId, filter, "CREATED_AT");
  const actions = useMemoryActions(workspaceId, memories);
  const { loadMore, list } = memories;
  useEffect(loadMore, [loadMore]); // all of them: marks stand where a memory was said, not where it was saved
  const grouped = useMemo(() => byMessage(list.rows), [list.rows]);
  return useMemo(
    () => ({
      rows: list.rows,
      total: list.total,
      of: (messageId: string) => grouped.get(messageId) ?? NONE,
      actions,
    }),
    [list.rows, list.total, grouped, actions],
  );
}
