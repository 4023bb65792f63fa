import { Group, SegmentedControl, Text, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMutation, useSubscription } from "urql";
import {
  EngineJobEventsDocument,
  JobsDocument,
  type JobState,
  RetryEngineJobDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { RowButton } from "../shell/RowButton";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { useAddress } from "../shell/useAddress";
import { useAnswers } from "../shell/useAnswers";
import { usePages } from "../shell/usePages";

const STATES = ["PENDING", "RUNNING", "FAILED"] as const satisfies readonly JobState[];
const STATE = "jobs";
const SOON_MS = 500;

/** The work that is not done yet; what was given up can be tried again. */
export function Jobs({ mayWrite }: { readonly mayWrite: boolean }) {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, taken } = useAnswers();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const state = STATES.find((each) => each === search.get(STATE)?.toUpperCase()) ?? null;
  const pages = usePages(JobsDocument, { workspaceId, state }, (data) => data.jobs);
  const [{ fetching }, retry] = useMutation(RetryEngineJobDocument);
  const reloadSoon = useDebouncedCallback(pages.reload, SOON_MS);
  useSubscription({ query: EngineJobEventsDocument, variables: { workspaceId } }, (_, event) => {
    reloadSoon();
    return event;
  });
  const again = async (id: string) => {
    if ((await taken(retry({ workspaceId, id }))) !== undefined) say(t("engine.retried"));
    pages.reload();
  };
  return (
    <section aria-label={t("engine.jobs")}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {t("engine.jobs")}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t("memories.state")}
          data={[
            { value: "", label: t("graph.all") },
            ...STATES.map((value) => ({ value, label: t(`jobState.${value}`) })),
          ]}
          value={state ?? ""}
          onChange={(value) => put({ [STATE]: value.toLowerCase() || null })}
        />
      </Group>
      <PagedTable
        pages={pages}
        hasActions
        empty={<Empty icon={CircleCheck} title={t("engine.noJobs")} text={t("engine.noJobsText")} />}
        columns={[
          { name: t("engine.job") },
          { name: t("memories.state") },
          { name: t("engine.attempts"), className: `${classes.number ?? ""} ${classes.wide ?? ""}` },
          { name: t("memories.created"), className: classes.wide },
        ]}
      >
        {(job) => (
          <tr key={job.id}>
            <td>
              <Text size="sm" fw={500}>
                {t(`jobKind.${job.kind}`)}
              </Text>
              {job.error && (
                <Text size="xs" c="var(--mantine-color-error)" lang="en">
                  {job.error}
                </Text>
              )}
            </td>
            <td>{t(`jobState.${job.state}`)}</td>
            <td className={`${classes.number ?? ""} ${classes.wide ?? ""}`}>{job.attempts}</td>
            <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>{ago(job.createdAt)}</td>
            <td className={classes.actions}>
              {mayWrite && job.state !== "RUNNING" && (
                <RowButton isDisabled={fetching} onClick={() => void again(job.id)}>
                  {t("shell.retry")}
                </RowButton>
              )}
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}
