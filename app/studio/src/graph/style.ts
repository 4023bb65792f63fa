import type { NodeKind } from "../../generated/operations";

interface Look {
  readonly label: string; // of the graph
  readonly diameter: number;
  readonly color: string;
}

/** How each kind looks: as in Neo4j Browser under `cypher/browser/style.grass`, to which a test holds this. */
export const LOOKS: Readonly<Record<NodeKind, Look>> = {
  MEMORY: { label: "Memory", diameter: 65, color: "#2D6CDF" },
  ENTITY: { label: "Entity", diameter: 80, color: "#F0883E" },
  CONVERSATION: { label: "Conversation", diameter: 65, color: "#0F8B8D" },
  MESSAGE: { label: "Message", diameter: 40, color: "#9AD5D6" },
  EPISODE: { label: "Episode", diameter: 65, color: "#3F8F5B" },
  CONVERSATION_SUMMARY: { label: "ConversationSummary", diameter: 50, color: "#A9D6B8" },
  DOCUMENT: { label: "Document", diameter: 65, color: "#7A4FBF" },
  CHUNK: { label: "Chunk", diameter: 50, color: "#CDB9EC" },
  ARTIFACT: { label: "Artifact", diameter: 50, color: "#A0449E" },
  AGENT_ACTION: { label: "AgentAction", diameter: 50, color: "#C4CAD3" },
  AGENT_SEQUENCE: { label: "AgentSequence", diameter: 65, color: "#5B6472" },
  AGENT_PATTERN: { label: "AgentPattern", diameter: 80, color: "#C93636" },
};

export const KINDS = Object.keys(LOOKS) as NodeKind[];

const EDGE = "#A5ABB6";
const EDGES: Readonly<Record<string, string>> = {
  INVALIDATED_BY: "#C93636",
  EVOLVED_INTO: "#3F8F5B",
  PREVIOUS: "#8FAEE9",
  EVIDENCED_BY: "#952323",
  MENTIONS: "#F0883E",
  TARGETED: "#C7641D",
  PART_OF: "#AD91DC",
};

export function edgeColour(type: string): string {
  return EDGES[type] ?? EDGE;
}

const MOST_CAPTION = 32;

/** Return what is written on a node: of a long text its beginning. */
export function shortCaption(caption: string): string {
  const characters = Array.from(caption.replaceAll(/\s+/g, " ").trim());
  return characters.length <= MOST_CAPTION
    ? characters.join("")
    : `${characters
        .slice(0, MOST_CAPTION - 1)
        .join("")
        .trimEnd()}…`;
}
