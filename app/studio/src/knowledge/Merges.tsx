import { Text } from "@mantine/core";
import { Merge } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMutation } from "urql";
import { EntityMergesDocument, UnmergeEntitiesDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { Undo } from "../shell/Undo";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";

/** Which things were found to be one; each can be taken apart again. */
export function Merges() {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, dataOf } = useNotices();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(EntityMergesDocument, { workspaceId }, (data) => data.entityMerges);
  const [{ fetching }, unmerge] = useMutation(UnmergeEntitiesDocument);
  const undo = async (id: string) => {
    const done = await dataOf(unmerge({ workspaceId, id }));
    if (done !== undefined) say(t("knowledge.unmerged", { name: done.unmergeEntities.name }));
    pages.reload();
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("knowledge.duplicatesText")}
      </Text>
      <PagedTable
        pages={pages}
        empty={<Empty icon={Merge} title={t("knowledge.noMerges")} text={t("knowledge.noMergesText")} />}
        columns={[
          {
            name: t("knowledge.duplicate"),
            kind: "quiet",
            cell: (row) => row.fromName ?? t("knowledge.goneEntity"),
          },
          {
            name: t("knowledge.into"),
            cell: (row) => (
              <Link className={classes.link} to={link("/knowledge", { tab: "entities", entity: row.intoId })}>
                {row.into?.name ?? row.intoName ?? t("knowledge.goneEntity")}
              </Link>
            ),
          },
          { name: t("knowledge.when"), kind: "quiet", isWide: true, cell: (row) => ago(row.createdAt) },
        ]}
        actions={(row) => (
          <Undo
            action={t("knowledge.unmerge")}
            state={row.undoneAt ? t("knowledge.undone") : undefined}
            isBusy={fetching}
            onUndo={() => void undo(row.id)}
          />
        )}
      />
    </>
  );
}
