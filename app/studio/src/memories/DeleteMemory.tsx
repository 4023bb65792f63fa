import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../shell/Dialog";
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
    <Dialog opened={row !== null} onClose={onClose} title={t("delete.title")}>
      <Text className={classes.said} lineClamp={6}>
        {row?.content}
      </Text>
      <Text size="sm" c="dimmed" mt="sm">
        {t("delete.text")}
      </Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("shell.cancel")}
        </Button>
        <Button
          color="red.9"
          data-autofocus
          onClick={() => {
            if (row !== null) onConfirm(row);
          }}
        >
          {t("memories.delete")}
        </Button>
      </Group>
    </Dialog>
  );
}
