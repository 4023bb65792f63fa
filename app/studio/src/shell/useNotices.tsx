import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { newId } from "./ids";

const UNDO_MS = 8_000;

export interface Notices {
  readonly say: (message: string, undo?: () => void) => void;
  readonly refuse: (title: string, reason: string | undefined) => void;
}

/** Return what tells in passing that something was done, and may undo it, or why it was not done. */
export function useNotices(): Notices {
  const { t } = useTranslation();
  return useMemo(() => {
    const common = { closeButtonProps: { "aria-label": t("shell.close") }, withBorder: true };
    return {
      say: (message, undo) => {
        if (undo === undefined) {
          notifications.show({ ...common, message });
          return;
        }
        const id = newId();
        notifications.show({
          ...common,
          id,
          autoClose: UNDO_MS,
          message: (
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">{message}</Text>
              <Button
                size="compact-sm"
                variant="light"
                onClick={() => {
                  notifications.hide(id);
                  undo();
                }}
              >
                {t("memories.undo")}
              </Button>
            </Group>
          ),
        });
      },
      refuse: (title, reason) =>
        void notifications.show({
          ...common,
          color: "red",
          title,
          message: reason ?? t("shell.unreachable"),
        }),
    };
  }, [t]);
}
