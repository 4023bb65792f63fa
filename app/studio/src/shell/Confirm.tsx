import type { ReactNode } from "react";
import { Dialog, DialogForm } from "./Dialog";

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  readonly isHarmless?: boolean;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly focus?: "action" | "cancel";
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done that cannot be undone, or that many would notice. */
export function Confirm({ opened, title, isHarmless = false, onClose, onConfirm, ...form }: ConfirmProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <DialogForm
        color={isHarmless ? undefined : "red.9"}
        onCancel={onClose}
        onSubmit={onConfirm}
        {...form}
      />
    </Dialog>
  );
}

interface ConfirmForProps<Subject> extends Omit<ConfirmProps, "opened" | "onConfirm"> {
  readonly subject: Subject | null; // null: the dialog is closed
  readonly onConfirm: (subject: Subject) => void;
}

/** Asks before something is done to one of many rows. */
export function ConfirmFor<Subject>({ subject, onConfirm, ...rest }: ConfirmForProps<Subject>) {
  return (
    <Confirm
      {...rest}
      opened={subject !== null}
      onConfirm={() => {
        if (subject !== null) onConfirm(subject);
      }}
    />
  );
}
