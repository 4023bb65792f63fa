import { useEffect, useMemo } from "react";
import type { MemoryRow } from "../memories/memoryList";
import { useMemories } from "../memories/useMemories";
import { type MemoryActions, useMemoryActions } from "../memories/useMemoryActions";
import { useWorkspaceId } from "../server/workspace";

/** Why some of it could not be loaded, and what asks for it again. */
interface Failure {
  readonly reason: string | undefined;
  readonly onRetry: () => void;
}

/** What was learnt from one conversation, as far as it is loaded. */
export interface Learnt {
  readonly rows: readonly MemoryRow[];
  readonly total: number | undefined; // undefined: not known
  readonly failure: Failure | undefined; // undefined: nothing failed
  readonly of: (messageId: string) => readonly MemoryRow[];
  readonly actions: MemoryActions;
}

const NONE: readonly MemoryRow[] = [];

/** Return the rows by the messages they were taken from, the earliest first; those of no message are under null. */
function byMessage(rows: readonly MemoryRow[]): ReadonlyMap<string | null, readonly MemoryRow[]> {
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
  const { loadMore, reload, list } = memories;
  const { rows, total, phase, reason } = list;
  useEffect(loadMore, [loadMore]); // all of them: marks stand where a memory was said, not where it was saved
  const grouped = useMemo(() => byMessage(rows), [rows]);
  const isKnown = phase !== "loading" && (phase !== "failed" || rows.length > 0);
  return useMemo(
    () => ({
      rows,
      total: isKnown ? total : undefined,
      failure: phase === "failed" ? { reason, onRetry: reload } : undefined,
      of: (messageId: string) => grouped.get(messageId) ?? NONE,
      actions,
    }),
    [rows, isKnown, total, phase, reason, reload, grouped, actions],
  );
}
