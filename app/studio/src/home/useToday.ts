import { useInterval } from "@mantine/hooks";
import { useState } from "react";

const EVERY_MS = 30_000;

/** Return when the browser's day began. */
function startOfToday(now: Date = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

/** Return when today began; the day changes on a page that stays open too. */
export function useToday(): string {
  const [today, setToday] = useState(() => startOfToday());
  useInterval(() => setToday(startOfToday()), EVERY_MS, { autoInvoke: true });
  return today;
}
