import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import {
  DeleteMemoryDocument,
  RerunExtractionDocument,
  RestoreMemoryDocument,
  UpdateMemoryDocument,
  type UpdateMemoryInput,
} from "../../generated/operations";
import { useNotices } from "../shell/useNotices";
import type { MemoryRow } from "./memoryList";
import type { Memories } from "./useMemories";

export interface MemoryActions {
  readonly update: (row: MemoryRow, input: UpdateMemoryInput) => Promise<boolean>;
  readonly remove: (row: MemoryRow) => Promise<boolean>;
  readonly restoreVersion: (row: MemoryRow, version: number) => Promise<boolean>;
  readonly summarizeAgain: (row: MemoryRow) => Promise<boolean>;
}

type Change = Pick<UpdateMemoryInput, "content" | "type" | "tags" | "importance" | "expiresAt">;

/** Return the values that a change replaces, to bring them back. */
function inverse(row: MemoryRow, input: Change): Change {
  const names = Object.keys(input) as (keyof Change)[];
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}

/** Return what can be done to a memory; each shows at once, is taken back if the server refuses, and can be undone. */
export function useMemoryActions(workspaceId: string | undefined, memories: Memories): MemoryActions {
  const { t } = useTranslation();
  const client = useClient();
  const { list, change } = memories;
  const rows = list.rows;

  const { say, dataOf } = useNotices();

  return useMemo(() => {
    const workspace = { workspaceId: workspaceId ?? null };

    const send = async (row: MemoryRow, input: UpdateMemoryInput): Promise<MemoryRow | undefined> => {
      change({ type: "put", row: { ...row, ...(input as Partial<MemoryRow>) } });
      const work = client.mutation(UpdateMemoryDocument, { ...workspace, id: row.id, input });
      const data = await dataOf(work, t("memories.notSaved"));
      change({ type: "put", row: data?.updateMemory ?? row });
      return data?.updateMemory;
    };
    const restore = async (row: MemoryRow, at: number) => {
      const work = client.mutation(RestoreMemoryDocument, { ...workspace, id: row.id });
      const data = await dataOf(work, t("memories.notRestored"));
      if (data !== undefined) change({ type: "returned", row: data.restoreMemory, at });
    };

    return {
      async update(row, input) {
        const saved = await send(row, input);
        if (saved === undefined) return false;
        say(t("memories.saved"), () => void send(saved, inverse(row, input)));
        return true;
      },
      async remove(row) {
        const at = rows.findIndex((each) => each.id === row.id);
        change({ type: "removed", id: row.id });
        const work = client.mutation(DeleteMemoryDocument, { ...workspace, id: row.id });
        if ((await dataOf(work, t("memories.notDeleted"))) === undefined) {
          change({ type: "returned", row, at });
          return false;
        }
        say(t("memories.deleted"), () => void restore(row, at));
        return true;
      },
      async restoreVersion(row, version) {
        const work = client.mutation(RestoreMemoryDocument, { ...workspace, id: row.id, version });
        const data = await dataOf(work, t("memories.notRestored"));
        if (data === undefined) return false;
        const restored = data.restoreMemory;
        change({ type: "put", row: restored });
        say(t("memories.versionRestored", { version }), () => void send(restored, { content: row.content }));
        return true;
      },
      async summarizeAgain(row) {
        const work = client.mutation(RerunExtractionDocument, { ...workspace, id: row.id });
        const data = await dataOf(work, t("memories.notSummarized"));
        if (data === undefined) return false;
        change({ type: "put", row: data.rerunExtraction.memory });
        say(t("memories.summarized"));
        return true;
      },
    };
  }, [workspaceId, client, change, rows, dataOf, say, t]);
}
