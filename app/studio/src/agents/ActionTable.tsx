import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ActionRowFragment } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks } from "../server/workspace";
import classes from "../shell/table.module.css";
import { OutcomeMark } from "./OutcomeMark";

/** Actions with how each ended; what it was done to leads to the graph. */
export function ActionTable({ rows }: { readonly rows: readonly ActionRowFragment[] }) {
  const { t } = useTranslation();
  const { ago, duration } = useFormats();
  const link = useLinks();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>{t("nodeKind.AGENT_ACTION")}</th>
          <th>{t("knowledge.outcome")}</th>
          <th className={`${classes.number ?? ""} ${classes.wide ?? ""}`}>{t("agents.took")}</th>
          <th className={classes.wide}>{t("knowledge.when")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              {row.actionType}
              <span className="soft"> · </span>
              {row.targetId ? (
                <Link
                  className={classes.link}
                  to={link("/graph", { from: row.targetId, node: row.targetId })}
                >
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
        ))}
      </tbody>
    </table>
  );
}
