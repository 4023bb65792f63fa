import { Text } from "@mantine/core";
import { Answered, type AnsweredProps } from "./Answered";
import { SideDrawer, type SideDrawerProps } from "./SideDrawer";

interface ThingDrawerProps<Thing>
  extends
    Omit<SideDrawerProps, "children">,
    Omit<AnsweredProps<Thing>, "height" | "gone" | "failed" | "withCard"> {
  readonly gone: string; // said where there is no such thing
}

/** One thing beside the list it was opened from: it loads, it failed, it is gone, or all there is to know of it. */
export function ThingDrawer<Thing>({
  answer,
  thing,
  gone,
  onRetry,
  children,
  ...frame
}: ThingDrawerProps<Thing>) {
  return (
    <SideDrawer {...frame}>
      <Answered
        answer={answer}
        thing={thing}
        height={200}
        gone={<Text c="dimmed">{gone}</Text>}
        onRetry={onRetry}
      >
        {children}
      </Answered>
    </SideDrawer>
  );
}
