// Compiled and never run: the compiler must refuse each of these, so that queries cannot lose their types unnoticed.
import { RecallDocument, SaveMemoryDocument } from "./operations.js";
import type { Recollect } from "./recollect.js";

export async function refused(recollect: Recollect): Promise<void> {
  // @ts-expect-error - a memory has a content
  await recollect.execute(SaveMemoryDocument, { input: { type: "DECISION" } });
  // @ts-expect-error - there is no such type of memories
  await recollect.execute(SaveMemoryDocument, { input: { content: "Tabs", type: "OPINION" } });
  const { recall } = await recollect.execute(RecallDocument, { input: { query: "Tabs" } });
  // @ts-expect-error - a hit has a score
  recall.hits[0]?.rank;
}
