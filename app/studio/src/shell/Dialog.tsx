import { Alert, Button, Group, Modal, type ModalProps, Stack, type StackProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** A dialog over the page; its close button has a name. */
export function Dialog(props: ModalProps) {
  const { t } = useTranslation();
  return <Modal closeButtonProps={{ "aria-label": t("shell.close") }} {...props} />;
}

interface DialogFormProps {
  readonly action: string; // text of the button that submits
  readonly color?: string | undefined; // of that button
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly refusal?: string | undefined; // why the server refused what was sent
  readonly focus?: "action" | "cancel"; // the button that has the focus at first
  readonly aside?: ReactNode; // beside the buttons
  readonly drop?: Pick<StackProps, "onDragOver" | "onDrop">;
  readonly onCancel: () => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** The content of a dialog with the buttons that submit or leave it; Control+Enter submits too. */
export function DialogForm({
  action,
  color,
  refusal,
  focus,
  aside,
  drop,
  children,
  ...rest
}: DialogFormProps) {
  const { t } = useTranslation();
  const { isBusy = false, isDisabled = false, onCancel, onSubmit } = rest;
  const submit = () => {
    if (!isBusy && !isDisabled) onSubmit();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // to a form that the dialog was opened from
        submit();
      }}
    >
      <Stack
        gap="sm"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
        }}
        {...drop}
      >
        {children}
        {refusal !== undefined && <Alert color="red">{refusal}</Alert>}
        <Group justify={aside === undefined ? "flex-end" : "space-between"} gap="xs" mt="xs">
          {aside}
          <Group gap="xs">
            <Button variant="default" data-autofocus={focus === "cancel" || undefined} onClick={onCancel}>
              {t("shell.cancel")}
            </Button>
            <Button
              type="submit"
              color={color}
              loading={isBusy}
              disabled={isDisabled}
              data-autofocus={focus === "action" || undefined}
            >
              {action}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
