import { Button, Group, Textarea, Tooltip } from "@mantine/core";
import { Clock, KeyRound, Pencil, Pin, Trash2, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import { ForWriters } from "../shell/ForWriters";
import { IconButton } from "../shell/IconButton";
import classes from "./memories.module.css";
import type { MemoryRow } from "./memoryList";
import { isPinned } from "./pinning";
import { TypeMark } from "./TypeMark";
import { useDraft } from "./useDraft";
import type { MemoryActions } from "./useMemoryActions";

interface MemoryLineProps {
  readonly row: MemoryRow;
  readonly isEdited: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onEnd: () => void;
  readonly actions: MemoryActions;
}

const stop = (event: SyntheticEvent) => event.stopPropagation();

/** The cells of one memory. */
export function MemoryLine({ row, isEdited, onEdit, onDelete, onEnd, actions }: MemoryLineProps) {
  const { t } = useTranslation();
  const { ago, date, number, percent } = useFormats();
  return (
    <>
      <div role="cell" style={{ minWidth: 0 }}>
        {isEdited ? (
          <EditContent row={row} onEnd={onEnd} actions={actions} />
        ) : (
          <div className={classes.content}>{row.content}</div>
        )}
        <div className={classes.meta}>
          <span className={`${classes.tag} ${classes.narrow}`}>
            {t(`type.${row.type}`)} · {ago(row.createdAt)}
          </span>
          {row.key !== null && row.key !== undefined && (
            <span className={`${classes.tag} ${classes.key}`}>
              <KeyRound size={10} aria-label={t("memories.key")} />
              <span className={classes.keyText}>{row.key}</span>
            </span>
          )}
          {row.expiresAt !== null && row.expiresAt !== undefined && (
            <span className={classes.tag}>
              <Clock size={10} aria-hidden /> {t("memories.expires", { when: ago(row.expiresAt) })}
            </span>
          )}
          {row.state === "FAILED" && (
            <Tooltip label={row.failure ?? t("memories.failed")}>
              <span className={classes.tag}>
                <TriangleAlert size={10} aria-hidden /> {t("memories.failed")}
              </span>
            </Tooltip>
          )}
          {row.tags.slice(0, 4).map((tag) => (
            <span key={tag} className={classes.tag}>
              {isPinned([tag]) && <Pin size={10} aria-hidden />} {tag}
            </span>
          ))}
          {row.tags.length > 4 && <span className={classes.tag}>+{row.tags.length - 4}</span>}
        </div>
      </div>
      <div role="cell" className={classes.medium}>
        <TypeMark type={row.type} />
      </div>
      <div role="cell" className={`${classes.cell} ${classes.wide}`}>
        {percent(row.importance)}
      </div>
      <div role="cell" className={`${classes.cell} ${classes.wide}`}>
        {row.usageCount === 0
          ? "–"
          : t("memories.times", { count: row.usageCount, shown: number(row.usageCount) })}
      </div>
      <div role="cell" className={`${classes.cell} ${classes.medium}`} title={date(row.createdAt)}>
        {ago(row.createdAt)}
      </div>
      <div role="cell" className={classes.actions}>
        <ForWriters>
          <IconButton
            icon={Pencil}
            size={15}
            label={t("memories.edit")}
            onClick={(event) => {
              stop(event);
              onEdit();
            }}
          />
          <IconButton
            icon={Trash2}
            size={15}
            label={t("memories.delete")}
            onClick={(event) => {
              stop(event);
              onDelete();
            }}
          />
        </ForWriters>
      </div>
    </>
  );
}

/** The field in which the text of a memory is corrected in its place. */
export function EditContent({ row, onEnd, actions }: Pick<MemoryLineProps, "row" | "onEnd" | "actions">) {
  const { t } = useTranslation();
  const [version] = useState(row.version); // what was typed of an older one would undo what was changed since
  const [text, setText, clear] = useDraft(`edit.${row.id}.${version}`, row.content);
  const [isSaving, setSaving] = useState(false); // what would be typed meanwhile had nowhere to go
  const isUnchanged = text.trim() === "" || text === row.content;
  const end = () => {
    clear();
    onEnd();
  };
  const save = async () => {
    setSaving(true);
    const isSaved = isUnchanged || (await actions.update(row, { content: text.trim() }));
    setSaving(false);
    if (isSaved) end();
  };
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (isSaving) return;
    if (event.key === "Escape") end();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <div onClick={stop} onKeyDown={onKey} role="presentation">
      <Textarea
        aria-label={t("memories.content")}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        readOnly={isSaving}
        data-autofocus
        ref={(field) => {
          if (field !== null && document.activeElement?.contains(field)) field.focus();
        }}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap={6} mt={6}>
        <Button size="compact-sm" disabled={isUnchanged} loading={isSaving} onClick={() => void save()}>
          {t("memories.save")}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" disabled={isSaving} onClick={end}>
          {t("shell.cancel")}
        </Button>
      </Group>
    </div>
  );
}
