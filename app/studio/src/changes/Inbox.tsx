import { Text } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { DoubtfulFactsDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { PagedList } from "../shell/PagedList";
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
      <PagedList
        pages={pages}
        empty={<Empty icon={CircleCheck} title={t("changes.noDoubts")} text={t("changes.noDoubtsText")} />}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t("changes.fact")}</th>
              <th className={classes.wide}>{t("changes.certainty")}</th>
              <th className={classes.wide}>{t("changes.when")}</th>
              <th aria-label={t("memories.actions")} />
            </tr>
          </thead>
          <tbody>
            {pages.rows.map((row) => (
              <DoubtfulFact key={row.id} fact={row} onDone={pages.reload} />
            ))}
          </tbody>
        </table>
      </PagedList>
    </>
  );
}
