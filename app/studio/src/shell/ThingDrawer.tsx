import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CombinedError } from "urql";
import { reasonOf } from "../server/client";
import { Failure } from "./Failure";
import { FailureLine } from "./FailureLine";
import { Loading } from "./Loading";
import { SideDrawer, type SideDrawerProps } from "./SideDrawer";

interface ThingDrawerProps<Thing> extends Omit<SideDrawerProps, "children"> {
  readonly answer: { readonly fetching: boolean; readonly error?: CombinedError | undefined };
  readonly thing: Thing | null | undefined;
  readonly gone: string; // said where there is no such thing
  readonly onRetry: () => void;
  readonly children: (thing: Thing) => ReactNode;
}

/** One thing beside the list it was opened from: it loads, it failed, it is gone, or all there is to know of it. */
export function ThingDrawer<Thing>({
  answer: { fetching, error },
  thing,
  gone,
  onRetry,
  children,
  ...frame
}: ThingDrawerProps<Thing>) {
  const { t } = useTranslation();
  const isThere = thing !== null && thing !== undefined;
  return (
    <SideDrawer {...frame}>
      {error !== undefined && !fetching && !isThere && (
        <Failure title={t("shell.notLoaded")} reason={reasonOf(error)} onRetry={onRetry} />
      )}
      {error !== undefined && isThere && <FailureLine reason={reasonOf(error)} onRetry={onRetry} />}
      {fetching && !isThere && <Loading height={200} />}
      {!fetching && error === undefined && !isThere && <Text c="dimmed">{gone}</Text>}
      {isThere && children(thing)}
    </SideDrawer>
  );
}
