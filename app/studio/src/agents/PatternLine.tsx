import { Badge, Button, Collapse, Group, Stack, Switch, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { EvidenceDocument, type PatternRowFragment } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useDraft } from "../memories/useDraft";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ForWriters } from "../shell/ForWriters";
import classes from "../shell/table.module.css";
import { OutcomeMark } from "./OutcomeMark";

interface PatternLineProps {
  readonly pattern: PatternRowFragment;
  readonly onChange: (part: { note?: string; suppressed?: boolean }) => Promise<boolean>; // whether it was taken
}

/** One pattern: what agents are told of it, how sure it is, the runs behind it, and a note of a person's. */
export function PatternLine({ pattern, onChange }: PatternLineProps) {
  const { t } = useTranslation();
  const { ago, number, percent } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped, , clearSent] = useDraft<string | null>(`pattern.${pattern.id}`, null);
  const note = typed ?? pattern.note ?? "";
  const isNoteChanged = note.trim() !== (pattern.note ?? "");
  return (
    <article
      aria-label={pattern.text}
      style={{ padding: "12px 16px", borderBottom: "1px solid var(--studio-line)" }}
    >
      <Group gap={6} mb={4}>
        <Badge variant="default" tt="none">
          {pattern.errorCode}
        </Badge>
        <Text size="xs" c="dimmed">
          {pattern.actionType} · {pattern.nodeType} ·{" "}
          {t("agents.runCount", { count: pattern.sequences, shown: number(pattern.sequences) })} ·{" "}
          {t("memories.confidence")} {percent(pattern.confidence)} · {ago(pattern.lastSeenAt)}
        </Text>
        {pattern.state === "DEMOTED" && (
          <Badge variant="light" color="gray" tt="none">
            {t("agents.demoted")}
          </Badge>
        )}
      </Group>
      <Text size="sm" lang="en" td={pattern.suppressed ? "line-through" : undefined}>
        {pattern.text}
      </Text>
      <Group gap="md" mt="xs">
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("agents.details")}
        </Button>
        <ForWriters>
          <Switch
            size="xs"
            label={t("agents.suppressed")}
            checked={pattern.suppressed}
            onChange={(event) => void onChange({ suppressed: event.currentTarget.checked })}
          />
        </ForWriters>
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <Stack gap="sm" mt="sm">
            <ForWriters>
              <Textarea
                label={t("agents.note")}
                description={t("agents.noteHint")}
                autosize
                minRows={2}
                value={note}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button
                  size="compact-sm"
                  disabled={!isNoteChanged}
                  onClick={() =>
                    void onChange({ note: note.trim() }).then((isTaken) => isTaken && clearSent(typed))
                  }
                >
                  {t("agents.saveNote")}
                </Button>
              </Group>
            </ForWriters>
            <Evidence pattern={pattern} />
          </Stack>
        )}
      </Collapse>
    </article>
  );
}

function Evidence({ pattern }: { readonly pattern: PatternRowFragment }) {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const { actionType, errorCode, nodeType } = pattern;
  const [answer, ask] = useQuery({
    query: EvidenceDocument,
    variables: { workspaceId, filter: { actionType, errorCode, nodeTypes: [nodeType] } },
  });
  return (
    <Loaded answer={answer} data={answer.data?.patterns} height={80} onRetry={() => ask()}>
      {({ edges }) => (
        <section aria-label={t("agents.evidence")}>
          <Text size="sm" fw={500} mb={4}>
            {t("agents.evidence")}
          </Text>
          {edges
            .find(({ node }) => node.id === pattern.id)
            ?.node.evidence.map((run) => (
              <Group key={run.id} gap={8} py={3}>
                <OutcomeMark outcome={run.outcome} />
                <Link className={classes.link} to={link("/agents", { tab: "runs", run: run.id })}>
                  {run.intentSummary || run.sessionId}
                </Link>
                {run.endedAt && (
                  <Text size="xs" c="dimmed">
                    {ago(run.endedAt)}
                  </Text>
                )}
              </Group>
            ))}
        </section>
      )}
    </Loaded>
  );
}
