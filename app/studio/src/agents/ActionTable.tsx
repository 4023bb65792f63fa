import { ListChecks } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ActionRowFragment } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import type { Pages } from "../shell/usePages";
import { OutcomeMark } from "./OutcomeMark";

/** Actions with how each ended; what it was done to leads to the graph. */
export function ActionTable({ pages }: { readonly pages: Pages<ActionRowFragment> }) {
  const { t } = useTranslation();
  const { ago, duration } = useFormats();
  const link = useLinks();
  return (
    <PagedTable
      pages={pages}
      empty={<Empty icon={ListChecks} title={t("agents.noActions")} text={t("agents.noActionsText")} />}
      columns={[
        {
          name: t("nodeKind.AGENT_ACTION"),
          cell: ({ actionType, nodeType, targetId }) => (
            <>
              {actionType}
              <span className="soft"> · </span>
              {targetId ? (
                <Link className={classes.link} to={link("/graph", { from: targetId, node: targetId })}>
                  {nodeType}
                </Link>
              ) : (
                nodeType
              )}
            </>
          ),
        },
        {
          name: t("knowledge.outcome"),
          cell: ({ outcome, errorCode }) => (
            <>
              <OutcomeMark outcome={outcome} /> <span className="soft">{errorCode}</span>
            </>
          ),
        },
        {
          name: t("agents.took"),
          kind: "number",
          isWide: true,
          cell: ({ latencyMs }) =>
            latencyMs === null || latencyMs === undefined ? "–" : duration(latencyMs),
        },
        {
          name: t("knowledge.when"),
          kind: "quiet",
          isWide: true,
          cell: ({ occurredAt }) => ago(occurredAt),
        },
      ]}
    />
  );
}
