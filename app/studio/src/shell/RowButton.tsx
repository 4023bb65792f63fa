import { Button } from "@mantine/core";
import type { ReactNode } from "react";

interface RowButtonProps {
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A small button for what can be done with one row. */
export function RowButton({ isBusy = false, isDisabled = false, onClick, children }: RowButtonProps) {
  return (
    <Button size="compact-sm" variant="default" loading={isBusy} disabled={isDisabled} onClick={onClick}>
      {children}
    </Button>
  );
}
