import { Select, Text } from "@mantine/core";
import { History } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  type AutomaticChangeKind,
  AutomaticChangesDocument,
  type AutomaticChangesQuery,
  UndoAutomaticChangeDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import { Undo } from "../shell/Undo";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";
import { textBefore } from "./textBefore";

const KINDS = ["LEARNT", "MERGED", "CLOSED", "COMPACTED", "ARCHIVED", "FORGOTTEN"] as const;

type Change = AutomaticChangesQuery["automaticChanges"]["edges"][number]["node"];

/** What was changed automatically, why, and by which job; what can be put back is undone here. */
export function ChangeList() {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [kind, setKind] = useState<AutomaticChangeKind | null>(null);
  const kinds = kind === null ? null : [kind];
  const pages = usePages(AutomaticChangesDocument, { workspaceId, kinds }, (data) => data.automaticChanges);
  const [{ fetching }, undo] = useMutation(UndoAutomaticChangeDocument);
  const putBack = async (id: string) => {
    const done = await dataOf(undo({ workspaceId, id }));
    if (done !== undefined) say(t("changes.undoneNow"));
    pages.reload();
  };
  return (
    <>
      <Select
        mb="md"
        maw={260}
        label={t("changes.kind")}
        clearable
        value={kind}
        data={KINDS.map((each) => ({ value: each, label: t(`changeKind.${each}`) }))}
        onChange={setKind}
      />
      <PagedTable
        pages={pages}
        empty={<Empty icon={History} title={t("changes.noChanges")} text={t("changes.noChangesText")} />}
        columns={[
          { name: t("changes.what"), cell: (row) => t(`changeKind.${row.kind}`) },
          { name: t("changes.of"), cell: (row) => <Subject change={row} /> },
          {
            name: t("changes.why"),
            kind: "quiet",
            isWide: true,
            cell: (row) => (
              <>
                {row.words}
                <div>{[row.rule, row.job].filter(Boolean).join(" · ")}</div>
              </>
            ),
          },
          { name: t("changes.when"), kind: "quiet", isWide: true, cell: (row) => ago(row.createdAt) },
        ]}
        actions={(row) => (
          <Undo
            action={t("changes.undo")}
            state={row.canBeUndone ? undefined : t(row.undoneAt ? "changes.undone" : "changes.permanent")}
            isBusy={fetching}
            onUndo={() => void putBack(row.id)}
          />
        )}
      />
    </>
  );
}

/** The text that a change is about with the one before it, or the number of nodes of what has no text. */
function Subject({ change: { memory, before, count, subjectKind } }: { readonly change: Change }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const earlier = textBefore(before);
  return (
    <>
      {memory?.content ?? t(`changeSubject.${subjectKind}`, { count, shown: number(count) })}
      {earlier !== undefined && (
        <Text size="xs" c="dimmed">
          {t("changes.before", { text: earlier })}
        </Text>
      )}
    </>
  );
}
