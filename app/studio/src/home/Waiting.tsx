import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type CombinedError, useMutation } from "urql";
import {
  ConfirmDeletionDocument,
  DismissDeletionDocument,
  type HomeQuery,
  RetryJobDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import classes from "./home.module.css";
import { Panel } from "./Panel";

interface WaitingProps {
  readonly home: HomeQuery;
  readonly onDone: () => void;
}

/** What only a person can decide: deletions that a conversation suggests, and work that was given up. */
export function Waiting({ home, onDone }: WaitingProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const [, confirm] = useMutation(ConfirmDeletionDocument);
  const [, dismiss] = useMutation(DismissDeletionDocument);
  const [, retry] = useMutation(RetryJobDocument);
  const suggestions = home.deletionSuggestions.edges.map((edge) => edge.node);
  const jobs = home.failedJobs.edges.map((edge) => edge.node);
  const then = (work: Promise<{ error?: CombinedError | undefined }>) =>
    void work.then(({ error }) => {
      if (error !== undefined)
        notifications.show({
          closeButtonProps: { "aria-label": t("shell.close") },
          color: "red",
          withBorder: true,
          title: t("home.notDone"),
          message: reasonOf(error),
        });
      onDone();
    });

  return (
    <Panel title={t("home.waiting")} aside={number(suggestions.length + jobs.length)}>
      {suggestions.length + jobs.length === 0 && (
        <Empty icon={CircleCheck} title={t("home.nothingWaits")} text={t("home.nothingWaitsText")} />
      )}
      {suggestions.map(({ memoryId, reason, memory }) => (
        <div key={memoryId} className={classes.line}>
          <div className={classes.wrapped}>
            {memory?.content ?? memoryId}
            <div className={classes.aside}>{reason}</div>
          </div>
          <Group gap={6} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => then(dismiss({ workspaceId, memoryId }))}
            >
              {t("home.keep")}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => then(confirm({ workspaceId, memoryId }))}
            >
              {t("memories.delete")}
            </Button>
          </Group>
        </div>
      ))}
      {jobs.map((job) => (
        <div key={job.id} className={classes.line}>
          <div className={classes.wrapped}>
            {t("home.failedJob", { kind: job.kind, count: job.attempts })}
            <div className={classes.aside}>{job.error}</div>
          </div>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => then(retry({ workspaceId, id: job.id }))}
          >
            {t("shell.retry")}
          </Button>
        </div>
      ))}
    </Panel>
  );
}
