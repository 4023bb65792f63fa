/** How many of a part of an entity the server lists at most. */
export const MOST = 100;

/** The rows of a part of an entity that are shown. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly isMore: boolean; // there are others, which can be asked for
  readonly isCut: boolean; // there may be others, which cannot
}

/** Return what is shown: `few` of the rows at first, of which one more was asked for; then as many as the server lists. */
export function partOf<Row>(rows: readonly Row[], few: number, isWhole: boolean): Part<Row> {
  return isWhole
    ? { rows, isMore: false, isCut: rows.length >= MOST }
    : { rows: rows.slice(0, few), isMore: rows.length > few, isCut: false };
}
