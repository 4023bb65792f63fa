import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog, DialogButtons } from "./Dialog";

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
export function Confirm({ opened, title, isHarmless = false, children, ...rest }: ConfirmProps) {
  const { onClose, onConfirm, ...buttons } = rest;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {children}
      <Box mt="lg">
        <DialogButtons
          color={isHarmless ? undefined : "red.9"}
          onCancel={onClose}
          onAct={onConfirm}
          {...buttons}
        />
      </Box>
    </Dialog>
  );
}

interface ConfirmForProps<Thing> extends Omit<ConfirmProps, "opened" | "onConfirm"> {
  readonly thing: Thing | null; // null: nothing is asked
  readonly onConfirm: (thing: Thing) => void;
}

/** Asks before something is done to one thing of many. */
export function ConfirmFor<Thing>({ thing, onConfirm, ...rest }: ConfirmForProps<Thing>) {
  return (
    <Confirm
      {...rest}
      opened={thing !== null}
      onConfirm={() => {
        if (thing !== null) onConfirm(thing);
      }}
    />
  );
}
