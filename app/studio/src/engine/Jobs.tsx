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
import { useAddress } from "../shell/useAddress";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";

const STATES = ["PENDING", "RUNNING", "FAILED"] as const satisfies readonly JobState[];
const STATE = "jobs";
const SOON_MS = 500;

/** The work that is not done yet; what was given up can be tried again. */
export function Jobs({ mayWrite }: { readonly mayWrite: boolean }) {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, dataOf } = useNotices();
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
    if ((await dataOf(retry({ workspaceId, id }))) !== undefined) say(t("engine.retried"));
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
        empty={<Empty icon={CircleCheck} title={t("engine.noJobs")} text={t("engine.noJobsText")} />}
        columns={[
          {
            name: t("engine.job"),
            cell: (job) => (
              <>
                <Text size="sm" fw={500}>
                  {t(`jobKind.${job.kind}`)}
                </Text>
                {job.error && (
                  <Text size="xs" c="var(--mantine-color-error)" lang="en">
                    {job.error}
                  </Text>
                )}
              </>
            ),
          },
          { name: t("memories.state"), cell: (job) => t(`jobState.${job.state}`) },
          { name: t("engine.attempts"), kind: "number", isWide: true, cell: (job) => job.attempts },
          { name: t("memories.created"), kind: "quiet", isWide: true, cell: (job) => ago(job.createdAt) },
        ]}
        actions={(job) =>
          mayWrite &&
          job.state !== "RUNNING" && (
            <RowButton isDisabled={fetching} onClick={() => void again(job.id)}>
              {t("shell.retry")}
            </RowButton>
          )
        }
      />
    </section>
  );
}
