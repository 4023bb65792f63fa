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
        { name: t("nodeKind.AGENT_ACTION") },
        { name: t("knowledge.outcome") },
        { name: t("agents.took"), className: `${classes.number ?? ""} ${classes.wide ?? ""}` },
        { name: t("knowledge.when"), className: classes.wide },
      ]}
    >
      {(row) => (
        <tr key={row.id}>
          <td>
            {row.actionType}
            <span className="soft"> · </span>
            {row.targetId ? (
              <Link className={classes.link} to={link("/graph", { from: row.targetId, node: row.targetId })}>
                {row.nodeType}
              </Link>
            ) : (
              row.nodeType
            )}
          </td>
          <td>
            <OutcomeMark outcome={row.outcome} /> <span className="soft">{row.errorCode}</span>
          </td>
          <td className={`${classes.number ?? ""} ${classes.wide ?? ""}`}>
            {row.latencyMs === null || row.latencyMs === undefined ? "–" : duration(row.latencyMs)}
          </td>
          <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>{ago(row.occurredAt)}</td>
        </tr>
      )}
    </PagedTable>
  );
}
