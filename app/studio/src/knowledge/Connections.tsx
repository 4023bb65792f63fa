import { Button, List, Text } from "@mantine/core";
import { Cable } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  ConnectionContentsDocument,
  type ConnectionContentsQuery,
  ConnectionsDocument,
  type ConnectionsQuery,
  DeleteConnectionDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ConfirmFor } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import { useNotices } from "../shell/useNotices";
import { useKeptQuery } from "../shell/useKeptQuery";
import { usePages } from "../shell/usePages";

type Row = ConnectionsQuery["connections"]["edges"][number]["node"];

/** Where things and documents came from; removing one takes away what came from it alone. */
export function Connections() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(ConnectionsDocument, { workspaceId }, (data) => data.connections);
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const [, remove] = useMutation(DeleteConnectionDocument);
  const confirm = async (row: Row) => {
    setToDelete(null);
    const done = await dataOf(remove({ workspaceId, id: row.id }));
    if (done !== undefined)
      say(t("knowledge.connectionDeleted", { name: row.name, count: done.deleteConnection }));
    pages.reload();
  };
  return (
    <>
      <PagedTable
        pages={pages}
        empty={
          <Empty icon={Cable} title={t("knowledge.noConnections")} text={t("knowledge.noConnectionsText")} />
        }
        columns={[
          {
            name: t("keys.name"),
            cell: (row) => (
              <>
                <Text size="sm" fw={500}>
                  {row.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {row.uri ?? row.id}
                </Text>
              </>
            ),
          },
          { name: t("memories.kind"), isWide: true, cell: (row) => row.kind ?? "–" },
          { name: t("knowledge.entities"), kind: "number", cell: (row) => number(row.entityCount) },
          { name: t("memories.updated"), kind: "quiet", isWide: true, cell: (row) => ago(row.updatedAt) },
        ]}
        actions={(row) => (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setToDelete(row)}>
            {t("knowledge.remove")}
          </Button>
        )}
      />
      <Removal row={toDelete} onClose={() => setToDelete(null)} onConfirm={(row) => void confirm(row)} />
    </>
  );
}

interface RemovalProps {
  readonly row: Row | null;
  readonly onClose: () => void;
  readonly onConfirm: (row: Row) => void;
}

/** Asks before a connection is removed, once it is known what would go with it. */
function Removal({ row, onClose, onConfirm }: RemovalProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({
    query: ConnectionContentsDocument,
    variables: { workspaceId, id: row?.id ?? "" },
    pause: row === null,
    requestPolicy: "network-only",
  });
  return (
    <ConfirmFor
      subject={row}
      title={t("knowledge.removeTitle", { name: row?.name })}
      action={t("knowledge.remove")}
      isDisabled={answer.data === undefined || answer.fetching}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <Loaded answer={answer} data={answer.data} height={100} onRetry={() => ask()}>
        {(contents) => <Contents contents={contents} />}
      </Loaded>
    </ConfirmFor>
  );
}

/** What would go and what would stay. */
function Contents({ contents }: { readonly contents: ConnectionContentsQuery }) {
  const { t } = useTranslation();
  const { counted, number } = useFormats();
  const { totalCount, pageInfo } = contents.entities;
  const entities = contents.entities.edges.map((edge) => edge.node);
  const own = entities.filter(({ connectionIds }) => connectionIds.length === 1);
  const shared = entities.filter(({ connectionIds }) => connectionIds.length > 1);
  const documents = contents.documents.edges.map((edge) => edge.node);
  const lines = [
    { name: "goes", names: own.map((each) => each.name), isMore: pageInfo.hasNextPage },
    {
      name: "documentsGo",
      names: documents.map((each) => each.title),
      isMore: contents.documents.pageInfo.hasNextPage,
    },
    { name: "stays", names: shared.map((each) => each.name), isMore: pageInfo.hasNextPage },
  ] as const;
  return (
    <>
      <Text size="sm" mb="sm">
        {t("knowledge.removeText")}
      </Text>
      <List size="sm" spacing={6}>
        {lines
          .filter(({ names }) => names.length > 0)
          .map(({ name, names, isMore }) => (
            <List.Item key={name}>
              <b>{t(`knowledge.${name}`, { shown: counted(names.length, isMore) })}</b> {names.join(", ")}
              {isMore && " …"}
            </List.Item>
          ))}
      </List>
      {pageInfo.hasNextPage && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("knowledge.ofMany", { shown: number(entities.length), total: number(totalCount) })}
        </Text>
      )}
    </>
  );
}
