import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./Dialog";

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done that cannot be undone, or that many would notice. */
export function Confirm({ opened, title, action, isDisabled, onClose, onConfirm, children }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {children}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("shell.cancel")}
        </Button>
        <Button color="red.9" disabled={isDisabled ?? false} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
