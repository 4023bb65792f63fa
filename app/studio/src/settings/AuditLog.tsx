import { MultiSelect } from "@mantine/core";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AuditAction, AuditLogDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import { usePages } from "../shell/usePages";
import { AUDIT_ACTIONS } from "./auditActions";

/** What was done in the whole deployment, by which key, the latest first. */
export function AuditLog() {
  const { t } = useTranslation();
  const { date, number } = useFormats();
  const [actions, setActions] = useState<readonly AuditAction[]>([]);
  const pages = usePages(
    AuditLogDocument,
    { actions: actions.length === 0 ? null : actions },
    (data) => data.auditLog,
  );
  return (
    <>
      <MultiSelect
        mb="md"
        aria-label={t("audit.actions")}
        placeholder={actions.length === 0 ? t("audit.all") : undefined}
        data={AUDIT_ACTIONS.map((value) => ({ value, label: t(`auditAction.${value}`) }))}
        value={[...actions]}
        onChange={(chosen) => setActions(AUDIT_ACTIONS.filter((action) => chosen.includes(action)))}
        searchable
        clearable
      />
      <PagedTable
        pages={pages}
        empty={<Empty icon={ScrollText} title={t("audit.none")} text={t("audit.noneText")} />}
        columns={[
          {
            name: t("audit.act"),
            cell: ({ action, count }) =>
              t(`auditAction.${action}`) + (count > 1 ? ` (${number(count)})` : ""),
          },
          { name: t("audit.key"), isWide: true, cell: (row) => row.actorKeyId ?? t("audit.byItself") },
          { name: t("audit.subject"), isWide: true, cell: (row) => row.subjectId ?? row.workspaceId },
          { name: t("knowledge.when"), kind: "quiet", cell: (row) => date(row.at) },
        ]}
      />
    </>
  );
}
