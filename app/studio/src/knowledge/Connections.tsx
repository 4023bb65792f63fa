import { Alert, Button, List, Text } from "@mantine/core";
import { Cable } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation, useQuery } from "urql";
import {
  ConnectionContentsDocument,
  ConnectionsDocument,
  type ConnectionsQuery,
  DeleteConnectionDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { Loading } from "../shell/Loading";
import { PagedList } from "../shell/PagedList";
import classes from "../shell/table.module.css";
import { useAnswers } from "../shell/useAnswers";
import { usePages } from "../shell/usePages";

type Row = ConnectionsQuery["connections"]["edges"][number]["node"];

/** Where things and documents came from; removing one takes away what came from it alone. */
export function Connections() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const { say, taken } = useAnswers();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(ConnectionsDocument, { workspaceId }, (data) => data.connections);
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const [, remove] = useMutation(DeleteConnectionDocument);
  const confirm = async (row: Row) => {
    setToDelete(null);
    const done = await taken(remove({ workspaceId, id: row.id }));
    if (done !== undefined)
      say(t("knowledge.connectionDeleted", { name: row.name, count: done.deleteConnection }));
    pages.reload();
  };
  return (
    <>
      <PagedList
        pages={pages}
        empty={
          <Empty icon={Cable} title={t("knowledge.noConnections")} text={t("knowledge.noConnectionsText")} />
        }
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t("keys.name")}</th>
              <th className={classes.wide}>{t("memories.kind")}</th>
              <th className={classes.number}>{t("knowledge.entities")}</th>
              <th className={classes.wide}>{t("memories.updated")}</th>
              <th aria-label={t("memories.actions")} />
            </tr>
          </thead>
          <tbody>
            {pages.rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <Text size="sm" fw={500}>
                    {row.name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {row.uri ?? row.id}
                  </Text>
                </td>
                <td className={classes.wide}>{row.kind ?? "–"}</td>
                <td className={classes.number}>{number(row.entityCount)}</td>
                <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>{ago(row.updatedAt)}</td>
                <td className={classes.actions}>
                  <Button size="compact-sm" variant="subtle" color="red" onClick={() => setToDelete(row)}>
                    {t("knowledge.remove")}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </PagedList>
      <Confirm
        opened={toDelete !== null}
        title={t("knowledge.removeTitle", { name: toDelete?.name })}
        action={t("knowledge.remove")}
        onClose={() => setToDelete(null)}
        onConfirm={() => {
          if (toDelete !== null) void confirm(toDelete);
        }}
      >
        {toDelete !== null && <Contents id={toDelete.id} />}
      </Confirm>
    </>
  );
}

/** What would go and what would stay. */
function Contents({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ data, error }] = useQuery({
    query: ConnectionContentsDocument,
    variables: { workspaceId, id },
    requestPolicy: "network-only",
  });
  if (error !== undefined) return <Alert color="red">{reasonOf(error)}</Alert>;
  if (data === undefined) return <Loading height={100} />;
  const entities = data.entities.edges.map((edge) => edge.node);
  const own = entities.filter(({ connectionIds }) => connectionIds.length === 1);
  const shared = entities.filter(({ connectionIds }) => connectionIds.length > 1);
  const documents = data.documents.edges.map((edge) => edge.node);
  const lines = [
    { name: "goes", names: own.map((each) => each.name) },
    { name: "documentsGo", names: documents.map((each) => each.title) },
    { name: "stays", names: shared.map((each) => each.name) },
  ] as const;
  return (
    <>
      <Text size="sm" mb="sm">
        {t("knowledge.removeText")}
      </Text>
      <List size="sm" spacing={6}>
        {lines
          .filter(({ names }) => names.length > 0)
          .map(({ name, names }) => (
            <List.Item key={name}>
              <b>{t(`knowledge.${name}`, { count: names.length })}</b> {names.join(", ")}
            </List.Item>
          ))}
      </List>
      {data.entities.totalCount > entities.length && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("knowledge.ofMany", { shown: number(entities.length), total: number(data.entities.totalCount) })}
        </Text>
      )}
    </>
  );
}
