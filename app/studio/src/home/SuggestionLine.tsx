import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  ConfirmDeletionDocument,
  DismissDeletionDocument,
  type HomeQuery,
  RestoreMemoryDocument,
} from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { RowButton } from "../shell/RowButton";
import { useNotices } from "../shell/useNotices";
import { WaitingLine } from "./WaitingLine";

interface SuggestionLineProps {
  readonly suggestion: HomeQuery["deletionSuggestions"]["edges"][number]["node"];
  readonly onDone: () => void;
}

/** A memory that a conversation suggests to delete: kept, or deleted, which can be undone. */
export function SuggestionLine({ suggestion: { memoryId, reason, memory }, onDone }: SuggestionLineProps) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching: isDeleting }, confirm] = useMutation(ConfirmDeletionDocument);
  const [{ fetching: isKeeping }, dismiss] = useMutation(DismissDeletionDocument);
  const [, restore] = useMutation(RestoreMemoryDocument);
  const isBusy = isDeleting || isKeeping;
  const remove = async () => {
    const done = await dataOf(confirm({ workspaceId, memoryId }));
    if (done?.confirmDeletion)
      say(
        t("memories.deleted"),
        () => void dataOf(restore({ workspaceId, id: memoryId, version: null })).then(onDone),
      );
    onDone();
  };
  return (
    <WaitingLine text={memory?.content ?? memoryId} why={reason}>
      <RowButton
        isBusy={isKeeping}
        isDisabled={isBusy}
        onClick={() => void dataOf(dismiss({ workspaceId, memoryId })).then(onDone)}
      >
        {t("home.keep")}
      </RowButton>
      <RowButton isBusy={isDeleting} isDisabled={isBusy} onClick={() => void remove()}>
        {t("memories.delete")}
      </RowButton>
    </WaitingLine>
  );
}
