import { Anchor, Text } from "@mantine/core";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { MemoryRow } from "../memories/memoryList";
import { EditContent } from "../memories/MemoryLine";
import { TypeMark } from "../memories/TypeMark";
import type { MemoryActions } from "../memories/useMemoryActions";
import { useLinks } from "../server/workspace";
import { ForWriters } from "../shell/ForWriters";
import { IconButton } from "../shell/IconButton";
import classes from "./conversations.module.css";

interface LearntHereProps {
  readonly rows: readonly MemoryRow[];
  readonly actions: MemoryActions;
}

/** The memories that were taken from something said, by the numbers of their marks; each is corrected in its place. */
export function LearntHere({ rows, actions }: LearntHereProps) {
  const { t } = useTranslation();
  const link = useLinks();
  if (rows.length === 0) return null;
  return (
    <ol className={classes.learnt} aria-label={t("conversations.learnt")}>
      {rows.map((row) => (
        <LearntMemory
          key={row.id}
          row={row}
          address={link("/memories", { memory: row.id })}
          actions={actions}
        />
      ))}
    </ol>
  );
}

interface LearntMemoryProps {
  readonly row: MemoryRow;
  readonly address: string; // in the workspace that it belongs to
  readonly actions: MemoryActions;
  readonly facts?: string; // about it, in short
}

/** One memory in a list, which is corrected and deleted in its place. */
export function LearntMemory({ row, address, actions, facts }: LearntMemoryProps) {
  const { t } = useTranslation();
  const [isEdited, setEdited] = useState(false);
  return (
    <li>
      <div className={classes.fact}>
        <div className={classes.factText}>
          {isEdited ? (
            <EditContent row={row} onEnd={() => setEdited(false)} actions={actions} />
          ) : (
            <Anchor component={Link} to={address} c="inherit" size="sm">
              {row.content}
            </Anchor>
          )}
          {facts !== undefined && (
            <Text size="xs" c="dimmed">
              {facts}
            </Text>
          )}
        </div>
        <TypeMark type={row.type} />
        <div className={classes.factActions}>
          <ForWriters>
            <IconButton
              icon={Pencil}
              label={t("conversations.editMemory", { content: row.content })}
              onClick={() => setEdited(true)}
            />
            <IconButton
              icon={Trash2}
              label={t("conversations.deleteMemory", { content: row.content })}
              onClick={() => void actions.remove(row)}
            />
          </ForWriters>
        </div>
      </div>
    </li>
  );
}
