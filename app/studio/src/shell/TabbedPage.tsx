import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Page } from "./Page";
import classes from "./tabs.module.css";
import { useAddress } from "./useAddress";

const TAB = "tab";

interface TabbedPageProps<Name extends string> {
  readonly title: string;
  readonly description: string;
  readonly width?: number;
  readonly tabs: readonly [Name, ...Name[]];
  readonly nameOf: (tab: Name) => string;
  readonly children: (tab: Name) => ReactNode;
}

/** A page of parts, of which the address names one, the first without; on narrow screens their names are scrolled. */
export function TabbedPage<Name extends string>({ tabs, nameOf, children, ...frame }: TabbedPageProps<Name>) {
  const { search, change } = useAddress();
  const shown = tabs.find((tab) => tab === search.get(TAB)) ?? tabs[0];
  const show = (tab: string | null) =>
    change((now) => {
      const kept = ["workspace"].flatMap((each) => (now.has(each) ? [[each, now.get(each) ?? ""]] : []));
      return new URLSearchParams([...kept, [TAB, tab ?? tabs[0]]]);
    });
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown]);
  return (
    <Page {...frame}>
      <Tabs value={shown} onChange={show} keepMounted={false}>
        <Tabs.List ref={list} mb="lg" className={classes.tabs}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {nameOf(tab)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>{children(shown)}</Tabs.Panel>
      </Tabs>
    </Page>
  );
}
