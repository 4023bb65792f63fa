import type { MemoryFilter, MemorySelection } from "../../generated/operations";

/** Which memories are chosen: some by their ids, or all that the filter admits. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

export const MOST_CHOSEN = 1000; // by their ids
export const NONE_CHOSEN: Chosen = { ids: new Set(), isAll: false };

function some(ids: Iterable<string>): Chosen {
  return { ids: new Set([...ids].slice(0, MOST_CHOSEN)), isAll: false };
}

/** Return what is chosen once one was chosen, or is not any more; of all, those shown stay then. */
export function toggled(chosen: Chosen, id: string, shown: readonly string[]): Chosen {
  const now = new Set(chosen.isAll ? shown : chosen.ids);
  if (!now.delete(id)) now.add(id);
  return some(now);
}

/** Return what is chosen with all between two of those shown, both included. */
export function extended(chosen: Chosen, from: string, to: string, shown: readonly string[]): Chosen {
  const [a, b] = [shown.indexOf(from), shown.indexOf(to)];
  if (a < 0 || b < 0) return toggled(chosen, to, shown);
  return some([...chosen.ids, ...shown.slice(Math.min(a, b), Math.max(a, b) + 1)]);
}

/** Return all that are shown, or none where they are chosen already. */
export function allShown(chosen: Chosen, shown: readonly string[]): Chosen {
  const isWhole = chosen.isAll || (shown.length > 0 && shown.every((id) => chosen.ids.has(id)));
  return isWhole ? NONE_CHOSEN : some(shown);
}

/** Return how many are chosen, where so many match. */
export function countChosen(chosen: Chosen, total: number): number {
  return chosen.isAll ? total : chosen.ids.size;
}

/** Return how the server is told what is chosen. */
export function toSelection(chosen: Chosen, filter: MemoryFilter): MemorySelection {
  return chosen.isAll ? { filter } : { ids: [...chosen.ids] };
}
