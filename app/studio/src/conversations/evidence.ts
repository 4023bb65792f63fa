/** What is looked for in a text: what a memory says, and what it is about where that is known. */
export interface Statement {
  readonly id: string;
  readonly content: string;
  readonly object?: string | undefined;
}

/** A part of a text by which statements are borne out; from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
}

const LEAST_SHARE = 0.3; // of a statement's words that its sentence has
const STEM = 5; // letters by which forms of a word are taken for the same
const SENTENCE = /[^.!?。！？\n]+(?:[.!?](?=\S)[^.!?。！？\n]+)*[.!?。！？]*/gu;
const OF_EXTRACTION = new Set(["the", "user", "assistant", "that", "and", "用户", "助手"]);

/** Return the words of a text by their first letters; of Chinese every two characters that follow each other. */
function wordsOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    if (!/\p{Script=Han}/u.test(word)) return word.length < 3 ? [] : [word];
    return Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2));
  });
  return new Set(words.filter((word) => !OF_EXTRACTION.has(word)).map((word) => word.slice(0, STEM)));
}

function shareOf(wanted: ReadonlySet<string>, sentence: ReadonlySet<string>): number {
  const shared = [...wanted].filter((word) => sentence.has(word)).length;
  return wanted.size === 0 ? 0 : shared / wanted.size;
}

function withoutMargin(text: string, start: number): { start: number; end: number } {
  const before = text.length - text.trimStart().length;
  return { start: start + before, end: start + text.trimEnd().length };
}

/**
 * Return the sentences of a text that statements were taken from, in their order.
 *
 * Each statement has at most one: the sentence that has the most of its words, and names its object where one does.
 * A statement that no sentence is like has none.
 */
export function evidenceOf(text: string, statements: readonly Statement[]): Span[] {
  const sentences = [...text.matchAll(SENTENCE)]
    .filter(([sentence]) => sentence.trim() !== "")
    .map((found) => ({
      ...withoutMargin(found[0], found.index),
      words: wordsOf(found[0]),
      lower: found[0].toLowerCase(),
      ids: [] as string[],
    }));
  for (const { id, content, object } of statements) {
    const wanted = wordsOf(content);
    const named = object?.trim().toLowerCase();
    const ranked = sentences
      .map((sentence) => ({
        sentence,
        share: shareOf(wanted, sentence.words) + (named && sentence.lower.includes(named) ? 1 : 0),
      }))
      .sort((a, b) => b.share - a.share);
    if (ranked[0] !== undefined && ranked[0].share >= LEAST_SHARE) ranked[0].sentence.ids.push(id);
  }
  return sentences.filter((each) => each.ids.length > 0).map(({ start, end, ids }) => ({ start, end, ids }));
}
