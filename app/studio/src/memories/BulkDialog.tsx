import { Alert, List, TagsInput, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import {
  type BulkReportFragment,
  ChangeMemoriesDocument,
  DeleteMemoriesDocument,
  type MemoriesChange,
  type MemorySelection,
  RestoreMemoryDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useNotices } from "../shell/useNotices";
import { useTrial } from "../shell/useTrial";
import type { BulkAction } from "./BulkBar";
import { dayOf, startOf } from "./filters";

const SOON_MS = 300;
const MOST_NAMED = 5;

interface BulkDialogProps {
  readonly action: BulkAction | null;
  readonly selection: MemorySelection;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Changes or deletes many memories: first how many that are, and which stay, then, confirmed, that. */
export function BulkDialog({ action, selection, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={action !== null}
      onClose={onClose}
      title={action === null ? "" : t(`bulk.${action}Title`)}
    >
      {action !== null && (
        <BulkForm action={action} selection={selection} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

type Report = BulkReportFragment | { readonly reason: string | undefined };

/** Return what does it, or with `dryRun` tells what would be done. */
function useBulk(action: BulkAction, selection: MemorySelection) {
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  return async (change: MemoriesChange, dryRun: boolean): Promise<Report> => {
    if (action === "delete") {
      const { data, error } = await client.mutation(DeleteMemoriesDocument, {
        workspaceId,
        selection,
        dryRun,
      });
      return data?.deleteMemories ?? { reason: reasonOf(error) };
    }
    const variables = { workspaceId, selection, change, dryRun };
    const { data, error } = await client.mutation(ChangeMemoriesDocument, variables);
    return data?.changeMemories ?? { reason: reasonOf(error) };
  };
}

/** Return what brings deleted memories back. */
function useRestoring() {
  const { t } = useTranslation();
  const client = useClient();
  const { dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  return async (ids: readonly string[]) => {
    for (const id of ids) {
      const work = client.mutation(RestoreMemoryDocument, { workspaceId, id });
      if ((await dataOf(work, t("memories.notRestored"))) === undefined) return;
    }
  };
}

function isNothing(action: BulkAction, change: MemoriesChange): boolean {
  return action === "tag" && [...(change.addTags ?? []), ...(change.removeTags ?? [])].length === 0;
}

function BulkForm({ action, selection, onClose, onDone }: BulkDialogProps & { action: BulkAction }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const notices = useNotices();
  const act = useBulk(action, selection);
  const restore = useRestoring();
  const [change, setChange] = useState<MemoriesChange>(action === "expire" ? { expiresAt: null } : {});
  const [tried] = useDebouncedValue(change, SOON_MS);
  const input = { change, selection };
  const { answer: report, tryOut } = useTrial<typeof input, Report>(input);
  const [isBusy, setBusy] = useState(false);
  const put = (part: MemoriesChange) => setChange({ ...change, ...part });

  const text = JSON.stringify({ tried, selection });
  useEffect(() => {
    if (!isNothing(action, tried)) void tryOut({ change: tried, selection }, act(tried, true));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is asked is all in the text
  }, [action, text]);

  const confirm = async () => {
    setBusy(true);
    const done = await act(change, false);
    setBusy(false);
    if ("reason" in done) {
      void tryOut(input, Promise.resolve(done));
      return;
    }
    const skipped = new Set(done.skipped.map((each) => each.id));
    const ids = (selection.ids ?? []).filter((id) => !skipped.has(id));
    const message = t(action === "delete" ? "bulk.deleted" : "bulk.changed", {
      count: done.changed,
      shown: number(done.changed),
    });
    if (action === "delete" && ids.length > 0) notices.say(message, () => void restore(ids).then(onDone));
    else notices.say(message);
    onDone();
    onClose();
  };
  const count = report !== undefined && "changed" in report ? report.changed : 0;

  return (
    <DialogForm
      action={t(action === "delete" ? "bulk.confirmDelete" : "bulk.confirmChange", {
        count,
        shown: number(count),
      })}
      color={action === "delete" ? "red.9" : undefined}
      isBusy={isBusy}
      isDisabled={count === 0}
      onCancel={onClose}
      onSubmit={() => void confirm()}
    >
      {action === "tag" && (
        <>
          <TagsInput
            label={t("bulk.addTags")}
            description={t("memories.tagsHint")}
            data-autofocus
            value={[...(change.addTags ?? [])]}
            onChange={(addTags) => put({ addTags })}
          />
          <TagsInput
            label={t("bulk.removeTags")}
            value={[...(change.removeTags ?? [])]}
            onChange={(removeTags) => put({ removeTags })}
          />
        </>
      )}
      {action === "expire" && (
        <TextInput
          type="date"
          label={t("memories.expiresOn")}
          description={t("memories.expiresHint")}
          data-autofocus
          value={change.expiresAt ? dayOf(change.expiresAt) : ""}
          onChange={(event) => {
            const day = event.currentTarget.value;
            put({ expiresAt: day === "" ? null : startOf(day) });
          }}
        />
      )}
      {action === "delete" && (
        <Text size="sm" c="dimmed">
          {t(selection.filter ? "bulk.deleteAllText" : "bulk.deleteText")}
        </Text>
      )}
      <Outlook report={report} />
    </DialogForm>
  );
}

/** What would happen: how many memories it is about, and which of them stay as they are, and why. */
function Outlook({ report }: { readonly report: Report | undefined }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  if (report === undefined) return <div aria-live="polite" />;
  if ("reason" in report) return <Alert color="red">{report.reason ?? t("shell.unreachable")}</Alert>;
  const stay = report.matched - report.changed;
  return (
    <div aria-live="polite">
      <Text size="sm" fw={500}>
        {t("bulk.would", { count: report.changed, shown: number(report.changed) })}
      </Text>
      {stay > 0 && (
        <Text size="sm" c="dimmed">
          {t("bulk.stay", { count: stay, shown: number(stay) })}
        </Text>
      )}
      {report.skipped.length > 0 && (
        <List size="xs" mt={4}>
          {report.skipped.slice(0, MOST_NAMED).map((each) => (
            <List.Item key={each.id}>{each.reason}</List.Item>
          ))}
        </List>
      )}
    </div>
  );
}
