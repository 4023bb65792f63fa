import { Text } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { DoubtfulFactsDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { usePages } from "../shell/usePages";
import { DoubtfulFact } from "./DoubtfulFact";

/** Facts that extraction is not sure of: each is kept, corrected or forgotten. */
export function Inbox() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(DoubtfulFactsDocument, { workspaceId }, (data) => data.doubtfulFacts);
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("changes.inboxText")}
      </Text>
      <PagedTable
        pages={pages}
        hasActions
        empty={<Empty icon={CircleCheck} title={t("changes.noDoubts")} text={t("changes.noDoubtsText")} />}
        columns={[
          { name: t("changes.fact") },
          { name: t("changes.certainty"), className: classes.wide },
          { name: t("changes.when"), className: classes.wide },
        ]}
      >
        {(row) => <DoubtfulFact key={row.id} fact={row} onDone={pages.reload} />}
      </PagedTable>
    </>
  );
}
