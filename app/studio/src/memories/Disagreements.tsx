import { Alert, Button, Stack, Text } from "@mantine/core";
import { Scale } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { DisagreementsDocument, type DisagreementsQuery } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import classes from "./memories.module.css";
import type { MemoryRow } from "./memoryList";
import { wordDifference } from "./wordDifference";

type Hits = DisagreementsQuery["recall"]["hits"];

/** Return the memories among the hits that cannot hold beside one of them. */
export function disagreeing(hits: Hits, id: string): MemoryRow[] {
  const named = new Set(hits.find((hit) => hit.memory.id === id)?.disagreesWith);
  return hits
    .filter((hit) => named.has(hit.memory.id) || hit.disagreesWith.includes(id))
    .map((hit) => hit.memory);
}

interface DisagreementsProps {
  readonly memory: MemoryRow;
  readonly onKeep: (kept: MemoryRow, deleted: MemoryRow) => Promise<void>;
}

/** What says the opposite of a memory, beside it, to choose which of the two is right; nothing where nothing does. */
export function Disagreements({ memory, onKeep }: DisagreementsProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ data }, ask] = useQuery({
    query: DisagreementsDocument,
    variables: { workspaceId, query: memory.content },
    requestPolicy: "network-only",
  });
  const others = disagreeing(data?.recall.hits ?? [], memory.id);
  if (others.length === 0) return null;
  const keep = (kept: MemoryRow, deleted: MemoryRow) =>
    void onKeep(kept, deleted).then(() => ask({ requestPolicy: "network-only" }));
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<Scale size={16} aria-hidden />}
      title={t("disagreement.title", { count: others.length })}
    >
      <Stack gap="md">
        <Text size="sm">{t("disagreement.text")}</Text>
        {others.map((other) => (
          <div key={other.id} className={classes.versions}>
            <Side
              title={t("disagreement.this")}
              text={memory.content}
              against={other.content}
              action={t("disagreement.keepThis")}
              onKeep={() => keep(memory, other)}
            />
            <Side
              title={t("disagreement.other")}
              text={other.content}
              against={memory.content}
              action={t("disagreement.keepOther")}
              onKeep={() => keep(other, memory)}
            />
          </div>
        ))}
      </Stack>
    </Alert>
  );
}

interface SideProps {
  readonly title: string;
  readonly text: string;
  readonly against: string;
  readonly action: string;
  readonly onKeep: () => void;
}

function Side({ title, text, against, action, onKeep }: SideProps) {
  return (
    <section className={`${classes.version} ${classes.side}`} aria-label={title}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <div style={{ flex: 1 }}>
        {wordDifference(against, text)
          .filter((piece) => piece.kind !== "removed")
          .map((piece, index) =>
            piece.kind === "same" ? piece.text : <strong key={index}>{piece.text}</strong>,
          )}
      </div>
      <Button size="compact-sm" variant="default" onClick={onKeep}>
        {action}
      </Button>
    </section>
  );
}
