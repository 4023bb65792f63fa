import { Text, TextInput } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type OperationResult, useMutation } from "urql";
import { EraseUserDocument, type EraseUserMutation } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { Loaded } from "../shell/Loaded";
import { useNotices } from "../shell/useNotices";
import { useTrial } from "../shell/useTrial";

// Everything that the server counts, so that the parts make the whole.
const COUNTED = [
  "memories",
  "versions",
  "passages",
  "conversations",
  "messages",
  "episodes",
  "summaries",
  "distillations",
  "sequences",
  "actions",
  "promptRuns",
  "apiKeys",
] as const;

interface EraseUserProps {
  readonly userId: string | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Counts what is kept of a user, and erases it once the name is typed. */
export function EraseUser({ userId, onClose, onDone }: EraseUserProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [, erase] = useMutation(EraseUserDocument);
  const { answer, tryOut } = useTrial<string | null, OperationResult<EraseUserMutation>>(userId);
  const [typed, setTyped] = useState("");
  const count = useCallback(() => {
    if (userId !== null) void tryOut(userId, erase({ workspaceId, userId, dryRun: true }));
  }, [userId, workspaceId, erase, tryOut]);
  useEffect(() => {
    setTyped("");
    count();
  }, [count]);
  const confirm = async () => {
    if (userId === null) return;
    onClose();
    const done = await dataOf(erase({ workspaceId, userId, dryRun: false }));
    if (done !== undefined) say(t("users.erased", { name: userId }));
    onDone();
  };
  const report = answer?.data?.eraseUser;
  return (
    <Confirm
      opened={userId !== null}
      title={t("users.eraseTitle", { name: userId })}
      action={t("users.erase")}
      isDisabled={report === undefined || typed !== userId}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <Text size="sm">{t("users.eraseText")}</Text>
      <Loaded
        answer={{ fetching: answer === undefined, error: answer?.error }}
        data={report}
        height={90}
        onRetry={count}
      >
        {(counts) => (
          <Text size="sm" role="status">
            {COUNTED.filter((name) => counts[name] > 0)
              .map((name) => `${t(`erasure.${name}`)}: ${number(counts[name])}`)
              .join(" · ") || t("users.nothing")}
          </Text>
        )}
      </Loaded>
      <TextInput
        label={t("users.typeName")}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Confirm>
  );
}
