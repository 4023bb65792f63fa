// The root fields that app/client/repeating.py names, with the reasons.
const ONCE = "createApiKey|createWebhook|createWorkspace|recordActions|rotateApiKey|testWebhook";
const LONG =
  "addDocument|ask|changeMemories|cleanupVectorTier|clearMemories|compactMemories|consolidateConversation|" +
  "deleteConnection|deleteConversation|deleteDocument|deleteMemories|deleteWorkspace|" +
  "handoffSummary|importOntology|mergeEntities|moveConversation|promotePatterns|reindex|" +
  "undoAutomaticChange|unmergeEntities";

const SAVES = "saveMemories|saveMemory|saveMemoryBatch";
const MANY = "saveMemories|saveMemoryBatch";

const long = new RegExp(`\\b(?:${LONG}|${MANY})\\b`);
const once = new RegExp(`\\b(?:${ONCE}|${LONG})\\b`);
const saves = new RegExp(`\\b(?:${SAVES})\\b`);
const uncompared = /\b(?:dedup|sourceConversationId)\s*:/;

interface Saved {
  id?: unknown;
  key?: unknown;
  dedup?: unknown;
  sourceConversationId?: unknown;
}

/** Tell whether a document waits for a language model, or changes many nodes. */
export const takesLong = (document: string): boolean => long.test(document);

/** Tell whether a document may be sent again although the one before may have arrived. */
export function mayBeRepeated(document: string, variables: unknown): boolean {
  if (saves.test(document) && (uncompared.test(document) || saveAnew(variables))) return false;
  return !once.test(document);
}

/** Tell whether a memory among variables would be there twice if it were saved twice. */
function saveAnew(variables: unknown): boolean {
  const values = Object.values((variables ?? {}) as Record<string, unknown>).flat() as (Saved | null | undefined)[];
  return values.some((memory) => {
    const isUncompared = memory?.dedup === false || memory?.sourceConversationId;
    return isUncompared && !memory.id && !memory.key;
  });
}
