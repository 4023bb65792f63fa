import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  DeleteMemoryDocument,
  type DoubtfulFactsQuery,
  RestoreMemoryDocument,
  UpdateMemoryDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { ForWriters } from "../shell/ForWriters";
import { RowButton } from "../shell/RowButton";
import classes from "../shell/table.module.css";
import { useAnswers } from "../shell/useAnswers";
import { useNotices } from "../shell/useNotices";

const DECIDED = 1; // confidence of what a person has confirmed

interface DoubtfulFactProps {
  readonly fact: DoubtfulFactsQuery["doubtfulFacts"]["edges"][number]["node"];
  readonly onDone: () => void;
}

/** A row of the inbox: kept as it is, kept with another text, or forgotten, which can be undone. */
export function DoubtfulFact({ fact, onDone }: DoubtfulFactProps) {
  const { t } = useTranslation();
  const { ago, percent } = useFormats();
  const { say, taken } = useAnswers();
  const notices = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [text, setText] = useState<string>(); // undefined: it is not edited
  const [{ fetching: isSaving }, update] = useMutation(UpdateMemoryDocument);
  const [{ fetching: isDeleting }, remove] = useMutation(DeleteMemoryDocument);
  const [, restore] = useMutation(RestoreMemoryDocument);
  const isBusy = isSaving || isDeleting;
  const keep = async () => {
    const content = text === undefined ? {} : { content: text.trim() };
    const done = await taken(
      update({ workspaceId, id: fact.id, input: { ...content, confidence: DECIDED } }),
    );
    if (done === undefined) return;
    say(t("changes.kept"));
    onDone();
  };
  const forget = async () => {
    const done = await taken(remove({ workspaceId, id: fact.id }));
    if (done?.deleteMemory)
      notices.say(
        t("memories.deleted"),
        () => void taken(restore({ workspaceId, id: fact.id, version: null })).then(onDone),
      );
    onDone();
  };
  return (
    <tr>
      <td>
        {text === undefined ? (
          fact.content
        ) : (
          <Textarea
            aria-label={t("memories.content")}
            autosize
            maxRows={8}
            value={text}
            readOnly={isBusy}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </td>
      <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>{percent(fact.confidence)}</td>
      <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>{ago(fact.createdAt)}</td>
      <td className={classes.actions}>
        <ForWriters>
          <Group gap={6} wrap="nowrap" justify="flex-end">
            <Button
              size="compact-sm"
              loading={isSaving}
              disabled={isBusy || text?.trim() === ""}
              onClick={() => void keep()}
            >
              {t(text === undefined ? "changes.keep" : "memories.save")}
            </Button>
            <RowButton
              isDisabled={isBusy}
              onClick={() => setText(text === undefined ? fact.content : undefined)}
            >
              {t(text === undefined ? "memories.edit" : "shell.cancel")}
            </RowButton>
            <RowButton isBusy={isDeleting} isDisabled={isBusy} onClick={() => void forget()}>
              {t("changes.forget")}
            </RowButton>
          </Group>
        </ForWriters>
      </td>
    </tr>
  );
}
