import { Text } from "@mantine/core";
import { ForWriters } from "./ForWriters";
import { RowButton } from "./RowButton";
import classes from "./table.module.css";

interface UndoCellProps {
  readonly action: string;
  readonly state: string | undefined;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}

/** The last cell of a row that can be undone: a button, or the state of what cannot be undone any more. */
export function UndoCell({ action, state, isBusy, onUndo }: UndoCellProps) {
  return (
    <td className={classes.actions}>
      {state === undefined ? (
        <ForWriters>
          <RowButton isDisabled={isBusy} onClick={onUndo}>
            {action}
          </RowButton>
        </ForWriters>
      ) : (
        <Text span size="xs" c="dimmed">
          {state}
        </Text>
      )}
    </td>
  );
}
