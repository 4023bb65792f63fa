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
        pages={{ ...pages, rows: pages.rows.map((row) => ({ ...row, id: row.memory.id })) }}
        empty={<Empty icon={Trophy} title={t("agents.noOutcomes")} text={t("agents.noOutcomesText")} />}
        columns={[
          {
            name: t("memories.one"),
            cell: ({ memory }) => (
              <Link className={classes.link} to={link("/memories", { memory: memory.id })}>
                {memory.content}
              </Link>
            ),
          },
          { name: t("agents.runs"), kind: "number", cell: ({ runs }) => number(runs) },
          {
            name: t("agents.failedRuns"),
            kind: "number",
            isWide: true,
            cell: ({ failed }) => number(failed),
          },
          {
            name: t("agents.successRate"),
            kind: "number",
            cell: ({ successRate: rate }) => (rate === null || rate === undefined ? "–" : percent(rate)),
          },
        ]}
      />
    </>
  );
}
