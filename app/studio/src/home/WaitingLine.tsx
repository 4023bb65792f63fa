import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { ForWriters } from "../shell/ForWriters";
import classes from "./home.module.css";

interface WaitingLineProps {
  readonly text: string;
  readonly why: string | null | undefined;
  readonly children: ReactNode; // what can be decided
}

/** One matter that waits: what it is, why, and what can be decided. */
export function WaitingLine({ text, why, children }: WaitingLineProps) {
  return (
    <div className={classes.line}>
      <div className={classes.wrapped}>
        {text}
        <div className={classes.aside}>{why}</div>
      </div>
      <Group gap={6} className={classes.choices}>
        <ForWriters>{children}</ForWriters>
      </Group>
    </div>
  );
}
