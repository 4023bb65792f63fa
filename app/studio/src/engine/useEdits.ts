import { typedSince } from "../memories/drafts";
import { useDraft } from "../memories/useDraft";
import { useWorkspaceId } from "../server/workspace";
import { changed } from "./parts";

/** What is set about a part of the engine, and what was typed over it. */
export interface Edits<Values extends object> {
  readonly draft: Values | undefined; // undefined: what is in force is not known
  readonly change: Partial<Values>;
  readonly put: (part: Partial<Values>) => void;
  readonly discard: () => void;
  readonly saved: () => void; // takes away what stood there then, not what was typed since
}

const NOTHING = {};

/** Return what was typed over what is in force, and is kept in this tab until it is saved or discarded. */
export function useEdits<Values extends object>(name: string, inForce: Values | undefined): Edits<Values> {
  const key = `engine.${name}.${useWorkspaceId() ?? ""}`;
  const [edited, setEdited, discard] = useDraft<Partial<Values>>(key, NOTHING);
  const draft = inForce && { ...inForce, ...edited };
  return {
    draft,
    change: inForce && draft ? changed(inForce, draft) : NOTHING,
    put: (part) => setEdited((now) => ({ ...now, ...part })),
    discard,
    saved: () => setEdited((now) => typedSince(now, edited)),
  };
}
