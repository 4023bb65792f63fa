import { Button } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type CombinedError, useMutation } from "urql";
import {
  ConfirmDeletionDocument,
  type DecisionsQuery,
  DismissDeletionDocument,
  type HomeQuery,
  RetryJobDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { useAnswers } from "../shell/useAnswers";
import { AlikeLine } from "./AlikeLine";
import { ContradictionLine } from "./ContradictionLine";
import { Panel } from "./Panel";
import { WaitingLine } from "./WaitingLine";

interface WaitingProps {
  readonly home: HomeQuery;
  readonly decisions: DecisionsQuery | undefined; // undefined: not known yet
  readonly onDone: () => void;
}

/** What only a person can decide: contradictions, duplicates, deletions that a conversation suggests, failed work. */
export function Waiting({ home, decisions, onDone }: WaitingProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { taken } = useAnswers();
  const workspaceId = useWorkspaceId() ?? null;
  const [, confirm] = useMutation(ConfirmDeletionDocument);
  const [, dismiss] = useMutation(DismissDeletionDocument);
  const [, retry] = useMutation(RetryJobDocument);
  const suggestions = home.deletionSuggestions.edges.map((edge) => edge.node);
  const jobs = home.failedJobs.edges.map((edge) => edge.node);
  const { contradictions = [], alikeEntities = [] } = decisions ?? {};
  const count = suggestions.length + jobs.length + contradictions.length + alikeEntities.length;
  const act = (work: Promise<{ data?: unknown; error?: CombinedError | undefined }>) =>
    void taken(work).then(onDone);

  return (
    <Panel title={t("home.waiting")} aside={number(count)}>
      {count === 0 && decisions !== undefined && (
        <Empty icon={CircleCheck} title={t("home.nothingWaits")} text={t("home.nothingWaitsText")} />
      )}
      {contradictions.map((pair) => (
        <ContradictionLine key={pair.newer.id + pair.older.id} pair={pair} onDone={onDone} />
      ))}
      {alikeEntities.map((pair) => (
        <AlikeLine key={pair.entity.id + pair.duplicate.id} pair={pair} onDone={onDone} />
      ))}
      {suggestions.map(({ memoryId, reason, memory }) => (
        <WaitingLine key={memoryId} text={memory?.content ?? memoryId} why={reason}>
          <Button size="compact-sm" variant="default" onClick={() => act(dismiss({ workspaceId, memoryId }))}>
            {t("home.keep")}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => act(confirm({ workspaceId, memoryId }))}>
            {t("memories.delete")}
          </Button>
        </WaitingLine>
      ))}
      {jobs.map((job) => (
        <WaitingLine
          key={job.id}
          text={t("home.failedJob", { kind: job.kind, count: job.attempts })}
          why={job.error}
        >
          <Button size="compact-sm" variant="default" onClick={() => act(retry({ workspaceId, id: job.id }))}>
            {t("shell.retry")}
          </Button>
        </WaitingLine>
      ))}
    </Panel>
  );
}
