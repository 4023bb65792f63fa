import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./tabs.module.css";

interface PageTabsProps<Name extends string> {
  readonly tabs: readonly Name[];
  readonly shown: Name;
  readonly nameOf: (tab: Name) => string;
  readonly onShow: (tab: string | null) => void;
  readonly children: ReactNode;
}

/** The parts of a page, of which one is shown; on narrow screens their names are scrolled sideways. */
export function PageTabs<Name extends string>({
  tabs,
  shown,
  nameOf,
  onShow,
  children,
}: PageTabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown]);
  return (
    <Tabs value={shown} onChange={onShow} keepMounted={false}>
      <Tabs.List ref={list} mb="lg" className={classes.tabs}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {nameOf(tab)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown}>{children}</Tabs.Panel>
    </Tabs>
  );
}
