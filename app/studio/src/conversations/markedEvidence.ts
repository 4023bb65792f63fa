import type { Element, ElementContent, Root, Text } from "hast";
import { evidenceOf, type Span, type Statement } from "./evidence";

type Parent = Root | Element;

interface Place {
  readonly node: Text;
  readonly parent: Parent;
  readonly start: number;
}

const BLOCKS = new Set([
  "p",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "td",
  "th",
  "pre",
  "blockquote",
  "br",
]);

/** Return the whole text of a tree, a line for each of its blocks, and where each text of it stands therein. */
function textOf(root: Root): { text: string; places: Place[] } {
  let text = "";
  const places: Place[] = [];
  const walk = (parent: Parent) => {
    for (const node of parent.children) {
      if (node.type === "text") {
        places.push({ node, parent, start: text.length });
        text += node.value.replaceAll("\n", " ");
      } else if (node.type === "element") {
        if (BLOCKS.has(node.tagName)) text += "\n";
        walk(node);
        if (BLOCKS.has(node.tagName)) text += "\n";
      }
    }
  };
  walk(root);
  return { text, places };
}

function pieces(
  { node, start }: Place,
  spans: readonly Span[],
  numbers: ReadonlyMap<string, number>,
): ElementContent[] {
  const text = (value: string): Text => ({ type: "text", value });
  const found: ElementContent[] = [];
  let at = 0;
  for (const { start: begin, end, ids } of spans) {
    const [from, to] = [Math.max(0, begin - start), Math.min(node.value.length, end - start)];
    if (from >= to) continue;
    const shown = ids.map((id) => numbers.get(id)).join(" ");
    if (from > at) found.push(text(node.value.slice(at, from)));
    found.push({
      type: "element",
      tagName: "mark",
      properties: start + to === end ? { dataMemories: shown } : {}, // once, where it ends
      children: [text(node.value.slice(from, to))],
    });
    at = to;
  }
  if (at < node.value.length) found.push(text(node.value.slice(at)));
  return found;
}

/** Return what marks, in the tree of a Markdown text, the sentences from which statements were taken. */
export function markEvidence(statements: readonly Statement[]): () => (root: Root) => void {
  const numbers = new Map(statements.map(({ id }, index) => [id, index + 1]));
  return () => (root) => {
    const { text, places } = textOf(root);
    const spans = evidenceOf(text, statements);
    if (spans.length === 0) return;
    for (const place of places) {
      const at = place.parent.children.indexOf(place.node);
      place.parent.children.splice(at, 1, ...(pieces(place, spans, numbers) as never[]));
    }
  };
}
