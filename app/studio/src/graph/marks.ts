/**
 * Sets of nodes that are too many to be named one by one in an address.
 *
 * Of each id a mark of 32 bits is kept (FNV-1a, then the finalizer of MurmurHash3). Of 5,000 marks beside 5,000 other
 * nodes, one in 170 such sets holds a node too many. Marks are sorted and stand as differences, seven bits a byte, in
 * base64url: about four characters each.
 */
export type Marks = ReadonlySet<number>;

export const NO_MARKS: Marks = new Set();
const BETWEEN = "."; // of how many there are and the marks

export function markOf(id: string): number {
  let mark = 0x811c9dc5;
  for (let place = 0; place < id.length; place++) mark = Math.imul(mark ^ id.charCodeAt(place), 0x01000193);
  mark = Math.imul(mark ^ (mark >>> 16), 0x85ebca6b);
  mark = Math.imul(mark ^ (mark >>> 13), 0xc2b2ae35);
  return (mark ^ (mark >>> 16)) >>> 0;
}

export function marksOf(ids: Iterable<string>): Marks {
  return new Set([...ids].map(markOf));
}

/** Return the marks as text that an address takes: how many, and the marks. */
export function writeMarks(marks: Marks): string {
  const bytes: number[] = [];
  let last = 0;
  for (const mark of [...marks].sort((a, b) => a - b)) {
    let left = mark - last;
    last = mark;
    for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes.push((left & 0x7f) | 0x80);
    bytes.push(left);
  }
  const text = btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));
  return `${marks.size}${BETWEEN}${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Return the marks of a text, and whether it is whole: messengers cut long addresses. */
export function readMarks(text: string): { readonly marks: Marks; readonly isWhole: boolean } {
  const [count = "", packed = ""] = text.split(BETWEEN);
  const marks = new Set<number>();
  let [last, left, scale] = [0, 0, 1];
  for (const character of decoded(packed)) {
    const byte = character.charCodeAt(0);
    left += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte > 0x7f) continue;
    last += left;
    marks.add(last);
    [left, scale] = [0, 1];
  }
  return { marks, isWhole: marks.size === Number(count) };
}

function decoded(packed: string): string {
  const whole = packed.length % 4 === 1 ? packed.slice(0, -1) : packed;
  try {
    return atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
