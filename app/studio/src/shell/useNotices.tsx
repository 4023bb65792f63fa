import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { CombinedError } from "urql";
import { reasonOf } from "../server/client";
import { newId } from "./ids";

const UNDO_MS = 8_000;

/** The answer to a query or mutation. */
export interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
}

interface Notices {
  /** Say that something was done; `undo` is offered for some seconds. */
  readonly say: (message: string, undo?: () => void) => void;
  /** Say that something was not done, and why. */
  readonly refuse: (reason: string | undefined, title?: string) => void;
  /** Return the data of an answer; undefined, after saying why, where the server refused. */
  readonly dataOf: <Data>(work: PromiseLike<Answer<Data>>, title?: string) => Promise<Data | undefined>;
}

/** Return the functions that show a notice in passing. */
export function useNotices(): Notices {
  const { t } = useTranslation();
  return useMemo(() => {
    const common = { closeButtonProps: { "aria-label": t("shell.close") }, withBorder: true };
    const refuse: Notices["refuse"] = (reason, title = t("home.notDone")) =>
      void notifications.show({ ...common, color: "red", title, message: reason ?? t("shell.unreachable") });
    return {
      say(message, undo) {
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
      refuse,
      async dataOf(work, title) {
        const { data, error } = await work;
        if (data === undefined) refuse(reasonOf(error), title);
        return data;
      },
    };
  }, [t]);
}
