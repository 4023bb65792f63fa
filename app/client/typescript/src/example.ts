import { ContextDocument, RecallDocument, SaveMemoryDocument } from "./operations.js";
import { Recollect, RecollectError } from "./recollect.js";

const { RECOLLECT_API_URL = "http://127.0.0.1:8000", RECOLLECT_API_KEY = "" } = process.env;
const recollect = new Recollect(RECOLLECT_API_URL, RECOLLECT_API_KEY);

async function main(): Promise<void> {
  const { saveMemory } = await recollect.execute(SaveMemoryDocument, {
    input: {
      content: "We indent with tabs, because everybody may then choose a width",
      type: "DECISION",
      tags: ["typescript-example"],
      importance: 0.9,
    },
    waitFor: "EMBEDDED",
  });
  console.log(`${saveMemory.outcome} ${saveMemory.memory.state}`);

  const { recall } = await recollect.execute(RecallDocument, {
    input: { query: "indentation style", tags: ["typescript-example"], limit: 3 },
  });
  for (const hit of recall.hits) {
    console.log(`${hit.relevance?.toFixed(2) ?? "–"} ${hit.memory.content}`);
  }

  const { context } = await recollect.execute(ContextDocument, {
    input: { query: "Do we indent with tabs or spaces?", maxTokens: 500 },
  });
  console.log(context.prompt || context.skipped.join("\n"));
}

main().catch((error: unknown) => {
  console.error(error instanceof RecollectError ? `${error.code}: ${error.message}` : error);
  process.exitCode = 1;
});
