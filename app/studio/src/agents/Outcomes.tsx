import { SegmentedControl } from "@mantine/core";
import { Trophy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { MemoryOutcomesDocument, type OutcomeOrder } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { usePages } from "../shell/usePages";

/** The memories that runs used, ranked by how those runs ended. */
export function Outcomes() {
  const { t } = useTranslation();
  const { number, percent } = useFormats();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const [orderBy, setOrderBy] = useState<OutcomeOrder>("BEST");
  const pages = usePages(MemoryOutcomesDocument, { workspaceId, orderBy }, (data) => data.memoryOutcomes);
  return (
    <>
      <SegmentedControl
        mb="md"
        size="xs"
        aria-label={t("memories.order")}
        data={(["BEST", "WORST"] as const).map((value) => ({ value, label: t(`outcomeOrder.${value}`) }))}
        value={orderBy}
        onChange={(value) => setOrderBy(value)}
      />
      <PagedTable
        pages={pages}
        empty={<Empty icon={Trophy} title={t("agents.noOutcomes")} text={t("agents.noOutcomesText")} />}
        columns={[
          { name: t("memories.one") },
          { name: t("agents.runs"), className: classes.number },
          { name: t("agents.failedRuns"), className: `${classes.number ?? ""} ${classes.wide ?? ""}` },
          { name: t("agents.successRate"), className: classes.number },
        ]}
      >
        {({ memory, runs, failed, successRate }) => (
          <tr key={memory.id}>
            <td>
              <Link className={classes.link} to={link("/memories", { memory: memory.id })}>
                {memory.content}
              </Link>
            </td>
            <td className={classes.number}>{number(runs)}</td>
            <td className={`${classes.number ?? ""} ${classes.wide ?? ""}`}>{number(failed)}</td>
            <td className={classes.number}>
              {successRate === null || successRate === undefined ? "–" : percent(successRate)}
            </td>
          </tr>
        )}
      </PagedTable>
    </>
  );
}
