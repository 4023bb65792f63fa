import { Text } from "@mantine/core";
import { ForWriters } from "./ForWriters";
import { RowButton } from "./RowButton";

interface UndoProps {
  readonly action: string;
  readonly state: string | undefined; // undefined: it can be undone
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}

/** The button that undoes a row, or the state of a row that cannot be undone. */
export function Undo({ action, state, isBusy, onUndo }: UndoProps) {
  if (state !== undefined)
    return (
      <Text span size="xs" c="dimmed">
        {state}
      </Text>
    );
  return (
    <ForWriters>
      <RowButton isDisabled={isBusy} onClick={onUndo}>
        {action}
      </RowButton>
    </ForWriters>
  );
}
