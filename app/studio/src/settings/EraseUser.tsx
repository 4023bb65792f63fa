import { Alert, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type OperationResult, useMutation } from "urql";
import { EraseUserDocument, type EraseUserMutation } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { Loading } from "../shell/Loading";
import { useAnswers } from "../shell/useAnswers";
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
  const { say, taken } = useAnswers();
  const workspaceId = useWorkspaceId() ?? null;
  const [, erase] = useMutation(EraseUserDocument);
  const { answer, tryOut } = useTrial<string | null, OperationResult<EraseUserMutation>>(userId);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    setTyped("");
    if (userId !== null) void tryOut(userId, erase({ workspaceId, userId, dryRun: true }));
  }, [userId, workspaceId, erase, tryOut]);
  const confirm = async () => {
    if (userId === null) return;
    onClose();
    const done = await taken(erase({ workspaceId, userId, dryRun: false }));
    if (done !== undefined) say(t("users.erased", { name: userId }));
    onDone();
  };
  const report = answer?.data?.eraseUser;
  const error = answer?.error;
  return (
    <Confirm
      opened={userId !== null}
      title={t("users.eraseTitle", { name: userId })}
      action={t("users.erase")}
      isDisabled={report === undefined || typed !== userId}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <Text size="sm" mb="sm">
        {t("users.eraseText")}
      </Text>
      {error !== undefined && <Alert color="red">{reasonOf(error)}</Alert>}
      {report === undefined && error === undefined && <Loading height={90} />}
      {report !== undefined && (
        <Text size="sm" role="status">
          {COUNTED.filter((name) => report[name] > 0)
            .map((name) => `${t(`erasure.${name}`)}: ${number(report[name])}`)
            .join(" · ") || t("users.nothing")}
        </Text>
      )}
      <TextInput
        mt="md"
        label={t("users.typeName")}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Confirm>
  );
}
