import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
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

/** The way to the page on which two things are compared. */
export function Compare({ to }: { readonly to: string }) {
  const { t } = useTranslation();
  return (
    <Button size="compact-sm" variant="default" component={Link} to={to}>
      {t("home.compare")}
    </Button>
  );
}
