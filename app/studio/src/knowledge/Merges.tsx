import { Button, Text } from "@mantine/core";
import { Merge } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMutation } from "urql";
import { EntityMergesDocument, UnmergeEntitiesDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { PagedList } from "../shell/PagedList";
import classes from "../shell/table.module.css";
import { useAnswers } from "../shell/useAnswers";
import { usePages } from "../shell/usePages";

/** Which things were found to be one; each can be taken apart again. */
export function Merges() {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, taken } = useAnswers();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(EntityMergesDocument, { workspaceId }, (data) => data.entityMerges);
  const [{ fetching }, unmerge] = useMutation(UnmergeEntitiesDocument);
  const undo = async (id: string) => {
    const done = await taken(unmerge({ workspaceId, id }));
    if (done !== undefined) say(t("knowledge.unmerged", { name: done.unmergeEntities.name }));
    pages.reload();
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("knowledge.duplicatesText")}
      </Text>
      <PagedList
        pages={pages}
        empty={<Empty icon={Merge} title={t("knowledge.noMerges")} text={t("knowledge.noMergesText")} />}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t("knowledge.duplicate")}</th>
              <th>{t("knowledge.into")}</th>
              <th className={classes.wide}>{t("knowledge.when")}</th>
              <th aria-label={t("memories.actions")} />
            </tr>
          </thead>
          <tbody>
            {pages.rows.map((row) => (
              <tr key={row.id}>
                <td className={classes.quiet}>{row.fromName ?? t("knowledge.goneEntity")}</td>
                <td>
                  <Link
                    className={classes.link}
                    to={link("/knowledge", { tab: "entities", entity: row.intoId })}
                  >
                    {row.into?.name ?? row.intoName ?? t("knowledge.goneEntity")}
                  </Link>
                </td>
                <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>{ago(row.createdAt)}</td>
                <td className={classes.actions}>
                  {row.undoneAt ? (
                    <Text span size="xs" c="dimmed">
                      {t("knowledge.undone")}
                    </Text>
                  ) : (
                    <ForWriters>
                      <Button
                        size="compact-sm"
                        variant="default"
                        disabled={fetching}
                        onClick={() => void undo(row.id)}
                      >
                        {t("knowledge.unmerge")}
                      </Button>
                    </ForWriters>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </PagedList>
    </>
  );
}
