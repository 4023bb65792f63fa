import { Badge, Stack, Text, UnstyledButton } from "@mantine/core";
import { FileText, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  ChunksDocument,
  DeleteDocumentDocument,
  DocumentsDocument,
  type DocumentsQuery,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ConfirmFor } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { IconButton } from "../shell/IconButton";
import { SearchField, useSought } from "../shell/SearchField";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { SideDrawer } from "../shell/SideDrawer";
import { useAddress } from "../shell/useAddress";
import { useNotices } from "../shell/useNotices";
import { useKeptQuery } from "../shell/useKeptQuery";
import { usePages } from "../shell/usePages";

const OPEN = "document";
type Row = DocumentsQuery["documents"]["edges"][number]["node"];

/** The documents that were read, with their chunks and how each was embedded. */
export function Documents() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const sought = useSought();
  const asked = sought.query;
  const filter = asked === "" ? null : { text: asked };
  const pages = usePages(DocumentsDocument, { workspaceId, filter }, (data) => data.documents);
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const [, remove] = useMutation(DeleteDocumentDocument);
  const open = (id: string | null) => put({ [OPEN]: id });
  const confirm = async (row: Row) => {
    setToDelete(null);
    if ((await dataOf(remove({ workspaceId, id: row.id }))) !== undefined)
      say(t("knowledge.documentDeleted", { name: row.title }));
    pages.reload();
  };
  return (
    <>
      <SearchField mb="md" maw={420} label={t("knowledge.searchDocuments")} sought={sought} />
      <PagedTable
        pages={pages}
        empty={
          <Empty
            icon={FileText}
            title={asked === "" ? t("knowledge.noDocuments") : t("knowledge.noDocumentMatches")}
            text={asked === "" ? t("knowledge.noDocumentsText") : t("memories.noneMatchText")}
          />
        }
        columns={[
          {
            name: t("knowledge.documentTitle"),
            cell: (row) => (
              <>
                <UnstyledButton className={classes.link} onClick={() => open(row.id)}>
                  {row.title}
                </UnstyledButton>
                <Text size="xs" c="dimmed">
                  {row.uri ?? row.mediaType}
                </Text>
              </>
            ),
          },
          { name: t("knowledge.chunks"), kind: "number", cell: (row) => number(row.chunkCount) },
          {
            name: t("knowledge.embedded"),
            isWide: true,
            cell: ({ partlyEmbeddedChunks: count }) =>
              count === 0 ? t("knowledge.wholly") : t("knowledge.partly", { count }),
          },
          { name: t("memories.updated"), kind: "quiet", isWide: true, cell: (row) => ago(row.updatedAt) },
        ]}
        actions={(row) => (
          <ForWriters>
            <IconButton
              icon={Trash2}
              size={15}
              label={t("knowledge.deleteNamed", { name: row.title })}
              onClick={() => setToDelete(row)}
            />
          </ForWriters>
        )}
      />
      <Chunks id={search.get(OPEN)} onClose={() => open(null)} />
      <ConfirmFor
        subject={toDelete}
        title={t("knowledge.deleteDocumentTitle", { name: toDelete?.title })}
        action={t("memories.delete")}
        onClose={() => setToDelete(null)}
        onConfirm={(row) => void confirm(row)}
      >
        <Text size="sm">{t("knowledge.deleteDocumentText", { count: toDelete?.chunkCount ?? 0 })}</Text>
      </ConfirmFor>
    </>
  );
}

function Chunks({ id, onClose }: { readonly id: string | null; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({
    query: ChunksDocument,
    variables: { workspaceId, id: id ?? "" },
    pause: id === null,
  });
  const found = answer.data?.document?.id === id ? answer.data.document : undefined;
  return (
    <SideDrawer
      opened={id !== null}
      onClose={onClose}
      size={560}
      title={found?.title ?? t("nodeKind.DOCUMENT")}
    >
      <Loaded
        answer={answer}
        data={found}
        height={200}
        missing={<Text c="dimmed">{t("knowledge.documentGone")}</Text>}
        onRetry={() => ask()}
      >
        {({ chunks }) => (
          <Stack gap="sm">
            {chunks.edges.map(({ node }) => (
              <article key={node.id} className="card" style={{ padding: "10px 14px" }}>
                <Text size="xs" c="dimmed" mb={4}>
                  {[`#${node.ordinal + 1}`, ...node.headings].join(" › ")}{" "}
                  <Badge variant="default" tt="none" size="sm">
                    {node.failure ??
                      (node.embeddedFrom ? t(`embeddedFrom.${node.embeddedFrom}`) : t(`state.${node.state}`))}
                  </Badge>
                </Text>
                <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
                  {node.text ?? node.excerpt}
                </Text>
              </article>
            ))}
            {chunks.pageInfo.hasNextPage && (
              <Text size="xs" c="dimmed">
                {t("knowledge.firstChunks", { count: chunks.edges.length })}
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </SideDrawer>
  );
}
