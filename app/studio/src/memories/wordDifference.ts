export interface Piece {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Cut into words and what stands between them; of Chinese into single characters. */
function pieces(text: string): string[] {
  return (
    text.match(
      /\p{Script=Han}|[\p{L}\p{N}_'’-]+?(?=\p{Script=Han})|[\p{L}\p{N}_'’-]+|\s+|[^\p{L}\p{N}\s]/gu,
    ) ?? []
  );
}

/** Return how long the longest common sequence of two tails is, for every pair of tails. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const below = lengths[i + 1] ?? [];
      const row = lengths[i] ?? [];
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}

/** Return what became of a text, word by word. */
export function wordDifference(before: string, after: string): Piece[] {
  const [old, fresh] = [pieces(before), pieces(after)];
  const lengths = commonLengths(old, fresh);
  const found: Piece[] = [];
  const add = (kind: Piece["kind"], text: string) => {
    const last = found.at(-1);
    if (last?.kind === kind) found[found.length - 1] = { kind, text: last.text + text };
    else found.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [was, is] = [old[i], fresh[j]];
    if (was !== undefined && was === is) {
      add("same", was);
      i++;
      j++;
    } else if (
      is !== undefined &&
      (was === undefined || (lengths[i]?.[j + 1] ?? 0) > (lengths[i + 1]?.[j] ?? 0))
    ) {
      add("added", is);
      j++;
    } else if (was !== undefined) {
      add("removed", was);
      i++;
    }
  }
  return found;
}
