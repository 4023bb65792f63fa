import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { type HomeQuery, RetryJobDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { RowButton } from "../shell/RowButton";
import { useNotices } from "../shell/useNotices";
import { WaitingLine } from "./WaitingLine";

interface JobLineProps {
  readonly job: HomeQuery["failedJobs"]["edges"][number]["node"];
  readonly onDone: () => void;
}

/** Work that was given up, to be tried again. */
export function JobLine({ job: { id, kind, error, attempts }, onDone }: JobLineProps) {
  const { t } = useTranslation();
  const { dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, retry] = useMutation(RetryJobDocument);
  return (
    <WaitingLine text={t("home.failedJob", { kind: t(`jobKind.${kind}`), count: attempts })} why={error}>
      <RowButton isBusy={fetching} onClick={() => void dataOf(retry({ workspaceId, id })).then(onDone)}>
        {t("shell.retry")}
      </RowButton>
    </WaitingLine>
  );
}
