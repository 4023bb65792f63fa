import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ConfirmFor } from "../shell/Confirm";
import classes from "./memories.module.css";
import type { MemoryRow } from "./memoryList";

interface DeleteMemoryProps {
  readonly row: MemoryRow | null;
  readonly onClose: () => void;
  readonly onConfirm: (row: MemoryRow) => void;
}

/** Asks before a memory is deleted, which can be undone afterwards. */
export function DeleteMemory({ row, onClose, onConfirm }: DeleteMemoryProps) {
  const { t } = useTranslation();
  return (
    <ConfirmFor
      subject={row}
      title={t("delete.title")}
      action={t("memories.delete")}
      focus="action"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <Text className={classes.said} lineClamp={6}>
        {row?.content}
      </Text>
      <Text size="sm" c="dimmed">
        {t("delete.text")}
      </Text>
    </ConfirmFor>
  );
}
