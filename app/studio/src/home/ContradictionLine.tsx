import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { AssociateDocument, type DecisionsQuery } from "../../generated/operations";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { RowButton } from "../shell/RowButton";
import { useNotices } from "../shell/useNotices";
import { Compare, WaitingLine } from "./WaitingLine";

interface ContradictionLineProps {
  readonly pair: DecisionsQuery["contradictions"][number];
  readonly onDone: () => void;
}

/** Two memories of which one is wrong: compared where one is chosen, or both kept as known to contradict each other. */
export function ContradictionLine({ pair: { newer, older }, onDone }: ContradictionLineProps) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, associate] = useMutation(AssociateDocument);
  const keepBoth = async () => {
    const input = { fromId: newer.id, toId: older.id, type: "CONTRADICTS" as const };
    if ((await dataOf(associate({ workspaceId, input }))) === undefined) return;
    say(t("home.keptBoth"));
    onDone();
  };
  return (
    <WaitingLine text={newer.content} why={t("home.disagrees", { content: older.content })}>
      <RowButton isBusy={fetching} onClick={() => void keepBoth()}>
        {t("home.keepBoth")}
      </RowButton>
      <Compare to={link("/memories", { memory: newer.id })} />
    </WaitingLine>
  );
}
