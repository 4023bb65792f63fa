import { useMemo } from "react";
import { type Drawing, narrowed, type Narrowing } from "./drawing";

/** Return what of a drawing is shown; the same as before where another part of the address changed. */
export function useShown(drawing: Drawing, graph: Narrowing): Drawing {
  const text = useMemo(() => JSON.stringify([graph.hiddenIds, graph.hiddenKinds]), [graph]);
  return useMemo(() => {
    const [hiddenIds, hiddenKinds] = JSON.parse(text) as [Narrowing["hiddenIds"], Narrowing["hiddenKinds"]];
    return narrowed(drawing, { hiddenIds, hiddenKinds });
  }, [drawing, text]);
}
