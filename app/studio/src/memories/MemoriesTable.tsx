import { Checkbox } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import { FailureLine } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import classes from "./memories.module.css";
import { MemoryLine } from "./MemoryLine";
import type { MemoryRow } from "./memoryList";
import { allShown, type Chosen, extended, toggled } from "./selection";
import type { MemoryActions } from "./useMemoryActions";
import type { Memories } from "./useMemories";

const LINE_PX = 72;
const AHEAD = 12; // lines before the end at which more are loaded

interface MemoriesTableProps {
  readonly memories: Memories;
  readonly actions: MemoryActions;
  readonly openId: string | null;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onOpen: (row: MemoryRow) => void;
  readonly onDelete: (row: MemoryRow) => void;
  readonly mayWrite: boolean;
}

/** The memories as lines, of which only those in view are in the page. */
export function MemoriesTable({
  memories,
  actions,
  openId,
  chosen,
  onChoose,
  onOpen,
  onDelete,
  mayWrite,
}: MemoriesTableProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { rows, total, phase, reason, hasMore } = memories.list;
  const frame = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [editedId, setEditedId] = useState<string | null>(null);
  const [lastChosen, setLastChosen] = useState<string | null>(null);
  const ids = rows.map((row) => row.id);
  const isChosen = (id: string) => chosen.isAll || chosen.ids.has(id);
  const choose = (id: string, isRange: boolean) => {
    onChoose(
      isRange && lastChosen !== null ? extended(chosen, lastChosen, id, ids) : toggled(chosen, id, ids),
    );
    setLastChosen(id);
  };
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  });
  const shown = lines.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { loadMore } = memories;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD) loadMore();
  }, [last, rows.length, hasMore, loadMore]);

  const focusLine = (index: number) => {
    const target = Math.max(0, Math.min(index, rows.length - 1));
    setCurrent(target);
    lines.scrollToIndex(target);
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus(),
    );
  };
  // Since a change was sent, somebody may have gone on to another line or field.
  const isElsewhere = (index: number) =>
    document.activeElement !== document.body &&
    document.activeElement?.closest(`[data-index="${index}"]`) === null;
  const onKey = (event: KeyboardEvent, index: number, row: MemoryRow) => {
    if (event.target !== event.currentTarget) return; // typed into a field of the line
    const act: Record<string, () => void> = {
      ArrowDown: () => focusLine(index + 1),
      ArrowUp: () => focusLine(index - 1),
      Home: () => focusLine(0),
      End: () => focusLine(rows.length - 1),
      Enter: () => onOpen(row),
      x: () => choose(row.id, false),
      X: () => choose(row.id, true),
      ...(mayWrite && { e: () => setEditedId(row.id), Delete: () => onDelete(row) }),
    };
    const known = act[event.key];
    if (known === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    known();
  };

  return (
    <div className={`card ${classes.frame}`}>
      <div
        role="table"
        aria-label={t("memories.title")}
        aria-rowcount={total + 1}
        aria-busy={phase === "loading"}
      >
        <div role="rowgroup">
          <div role="row" className={classes.head}>
            <span role="columnheader">
              <Checkbox
                size="xs"
                aria-label={t("bulk.chooseShown")}
                checked={rows.length > 0 && ids.every(isChosen)}
                indeterminate={ids.some(isChosen) && !ids.every(isChosen)}
                onChange={() => onChoose(allShown(chosen, ids))}
              />
            </span>
            <span role="columnheader">{t("memories.content")}</span>
            <span role="columnheader">{t("memories.type")}</span>
            <span role="columnheader" className={classes.wide}>
              {t("memories.importance")}
            </span>
            <span role="columnheader" className={classes.wide}>
              {t("memories.used")}
            </span>
            <span role="columnheader">{t("memories.created")}</span>
            <span role="columnheader" aria-label={t("memories.actions")} />
          </div>
        </div>
        <div ref={frame} className={classes.scroll} role="rowgroup">
          {phase === "loading" && <Loading height={5 * LINE_PX} />}
          <div className={classes.canvas} style={{ height: lines.getTotalSize() }} role="presentation">
            {shown.map(({ index, start, key }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  ref={lines.measureElement}
                  data-index={index}
                  data-open={row.id === openId || isChosen(row.id) || undefined}
                  className={classes.row}
                  style={{ transform: `translateY(${start}px)` }}
                  role="row"
                  aria-rowindex={index + 2}
                  tabIndex={index === Math.min(current, rows.length - 1) ? 0 : -1}
                  onFocus={() => setCurrent(index)}
                  onKeyDown={(event) => onKey(event, index, row)}
                  onClick={() => onOpen(row)}
                >
                  <div role="cell" className={classes.choice}>
                    <Checkbox
                      size="xs"
                      aria-label={t("bulk.choose", { content: row.content })}
                      checked={isChosen(row.id)}
                      onClick={(event) => {
                        event.stopPropagation();
                        choose(row.id, event.shiftKey);
                      }}
                      onChange={() => undefined}
                    />
                  </div>
                  <MemoryLine
                    row={row}
                    isEdited={row.id === editedId}
                    onEdit={() => setEditedId(row.id)}
                    onDelete={() => onDelete(row)}
                    onEnd={() => {
                      setEditedId((now) => (now === row.id ? null : now));
                      if (!isElsewhere(index)) focusLine(index);
                    }}
                    actions={actions}
                  />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {phase === "failed" && <FailureLine reason={reason} onRetry={memories.reload} />}
      <div className={classes.foot} aria-live="polite">
        {phase === "loading" ? " " : t("memories.count", { count: total, shown: number(total) })}
      </div>
    </div>
  );
}
