/** Return the number that was typed; undefined where it is none, or beyond the bounds. */
export function numberIn(typed: string | number, min: number, max: number): number | undefined {
  if (typed === "") return undefined;
  const number = Number(typed);
  return number >= min && number <= max ? number : undefined;
}
