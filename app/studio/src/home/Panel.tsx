import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./home.module.css";

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A titled card. */
export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className="card" aria-label={title}>
      <div className={classes.title}>
        <Title order={2} size="h6">
          {title}
        </Title>
        <span className={classes.aside}>{aside}</span>
      </div>
      {children}
    </section>
  );
}
