import { Alert, Button, Group, Modal, type ModalProps, Stack, type StackProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** A dialog over the page; its close button has a name. */
export function Dialog(props: ModalProps) {
  const { t } = useTranslation();
  return <Modal closeButtonProps={{ "aria-label": t("shell.close") }} {...props} />;
}

interface DialogButtonsProps {
  readonly action: string; // text of the button that does it
  readonly color?: string | undefined; // of that button
  readonly isBusy?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly focus?: "action" | "cancel" | undefined; // the button that has the focus at first
  readonly onCancel: () => void;
  readonly onAct?: (() => void) | undefined; // undefined: the button submits its form
}

/** The end of a dialog: a button that closes it, and one that does what it is for. */
export function DialogButtons({ action, color, isBusy, isDisabled, focus, ...does }: DialogButtonsProps) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" data-autofocus={focus === "cancel" || undefined} onClick={does.onCancel}>
        {t("shell.cancel")}
      </Button>
      <Button
        type={does.onAct === undefined ? "submit" : "button"}
        color={color}
        loading={isBusy ?? false}
        disabled={isDisabled ?? false}
        data-autofocus={focus === "action" || undefined}
        onClick={does.onAct}
      >
        {action}
      </Button>
    </Group>
  );
}

interface DialogFormProps extends Omit<DialogButtonsProps, "onAct" | "focus"> {
  readonly refusal?: string | undefined; // why the server refused what was sent
  readonly drop?: Pick<StackProps, "onDragOver" | "onDrop">;
  readonly aside?: ReactNode; // beside the buttons
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** The fields of a dialog with the buttons that send or leave them. */
export function DialogForm({ refusal, drop, aside, onSubmit, children, ...buttons }: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="sm" {...drop}>
        {children}
        {refusal !== undefined && <Alert color="red">{refusal}</Alert>}
        <Group justify={aside === undefined ? "flex-end" : "space-between"} gap="xs" mt="xs">
          {aside}
          <DialogButtons {...buttons} />
        </Group>
      </Stack>
    </form>
  );
}
