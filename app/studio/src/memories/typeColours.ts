import type { MemoryType } from "../../generated/operations";

/** The colours by which types are told apart wherever they are shown. */
export const TYPE_COLOURS: Readonly<Record<MemoryType, string>> = {
  PREFERENCE: "violet",
  DECISION: "blue",
  INSIGHT: "teal",
  PATTERN: "orange",
  HABIT: "green",
  STYLE: "pink",
  CONTEXT: "cyan",
};
