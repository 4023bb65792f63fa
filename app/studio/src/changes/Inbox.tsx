import { Button, Group, Text, Textarea } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  DeleteMemoryDocument,
  DoubtfulFactsDocument,
  type DoubtfulFactsQuery,
  RestoreMemoryDocument,
  UpdateMemoryDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { RowButton } from "../shell/RowButton";
import { PagedTable } from "../shell/Table";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";

const CONFIRMED = 1; // confidence of what a person has confirmed

type Fact = DoubtfulFactsQuery["doubtfulFacts"]["edges"][number]["node"];

/** Facts that extraction is not sure of: each is kept, corrected or forgotten. */
export function Inbox() {
  const { t } = useTranslation();
  const { ago, percent } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(DoubtfulFactsDocument, { workspaceId }, (data) => data.doubtfulFacts);
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map()); // of facts being edited, by id
  const [{ fetching: isSaving }, update] = useMutation(UpdateMemoryDocument);
  const [{ fetching: isDeleting }, remove] = useMutation(DeleteMemoryDocument);
  const [, restore] = useMutation(RestoreMemoryDocument);
  const isBusy = isSaving || isDeleting;
  const edit = (id: string, text: string | undefined) =>
    setTexts((now) => {
      const next = new Map(now);
      if (text === undefined) next.delete(id);
      else next.set(id, text);
      return next;
    });
  const keep = async ({ id }: Fact) => {
    const text = texts.get(id);
    const content = text === undefined ? {} : { content: text.trim() };
    const done = await dataOf(update({ workspaceId, id, input: { ...content, confidence: CONFIRMED } }));
    if (done === undefined) return;
    say(t("changes.kept"));
    pages.reload();
  };
  const forget = async ({ id }: Fact) => {
    const done = await dataOf(remove({ workspaceId, id }));
    const undo = () => void dataOf(restore({ workspaceId, id, version: null })).then(pages.reload);
    if (done?.deleteMemory) say(t("memories.deleted"), undo);
    pages.reload();
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("changes.inboxText")}
      </Text>
      <PagedTable
        pages={pages}
        empty={<Empty icon={CircleCheck} title={t("changes.noDoubts")} text={t("changes.noDoubtsText")} />}
        columns={[
          {
            name: t("changes.fact"),
            cell: ({ id, content }) =>
              texts.has(id) ? (
                <Textarea
                  aria-label={t("memories.content")}
                  autosize
                  maxRows={8}
                  value={texts.get(id)}
                  readOnly={isBusy}
                  onChange={(event) => edit(id, event.currentTarget.value)}
                />
              ) : (
                content
              ),
          },
          {
            name: t("changes.certainty"),
            kind: "quiet",
            isWide: true,
            cell: (fact) => percent(fact.confidence),
          },
          { name: t("changes.when"), kind: "quiet", isWide: true, cell: (fact) => ago(fact.createdAt) },
        ]}
        actions={(fact) => {
          const text = texts.get(fact.id);
          const isEdited = text !== undefined;
          return (
            <ForWriters>
              <Group gap={6} wrap="nowrap" justify="flex-end">
                <Button
                  size="compact-sm"
                  disabled={isBusy || text?.trim() === ""}
                  onClick={() => void keep(fact)}
                >
                  {t(isEdited ? "memories.save" : "changes.keep")}
                </Button>
                <RowButton
                  isDisabled={isBusy}
                  onClick={() => edit(fact.id, isEdited ? undefined : fact.content)}
                >
                  {t(isEdited ? "shell.cancel" : "memories.edit")}
                </RowButton>
                <RowButton isDisabled={isBusy} onClick={() => void forget(fact)}>
                  {t("changes.forget")}
                </RowButton>
              </Group>
            </ForWriters>
          );
        }}
      />
    </>
  );
}
