import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient, useSubscription } from "urql";
import {
  ExtractMemoriesDocument,
  type JobEventsSubscription,
  JobEventsDocument,
  LatestJobsDocument,
} from "../../generated/operations";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { useNotices } from "../shell/useNotices";

type Job = Pick<JobEventsSubscription["jobEvents"], "id" | "state" | "error">;

/** Return whether a conversation is being read, and what has it read now; how that ended is told. */
export function useExtraction(
  conversationId: string,
  onDone: () => void,
): { isReading: boolean; start: () => void } {
  const { t } = useTranslation();
  const notices = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [jobId, setJobId] = useState<string | null>(null);
  const seen = useRef(new Map<string, Job>()); // a job may end before it is known that it was started

  const follow = useCallback(
    (job: Job) => {
      if (job.state !== "DONE" && job.state !== "FAILED") return;
      setJobId(null);
      if (job.state === "DONE") notices.say(t("conversations.extracted"));
      else notices.refuse(job.error ?? undefined, t("conversations.notExtracted"));
      onDone();
    },
    [notices, onDone, t],
  );
  useSubscription({ query: JobEventsDocument, variables: { workspaceId } }, (_, event) => {
    seen.current.set(event.jobEvents.id, event.jobEvents);
    if (event.jobEvents.id === jobId) follow(event.jobEvents);
    return event;
  });

  const { epoch } = useServerState();
  const followed = useRef({ jobId, follow, onDone });
  useEffect(() => {
    followed.current = { jobId, follow, onDone };
  });
  useEffect(() => {
    const { jobId: id } = followed.current;
    if (epoch === 0 || !id) return;
    // the event that it ended may have been missed
    const ask = async () => {
      const policy = { requestPolicy: "network-only" } as const;
      const { data } = await client.query(LatestJobsDocument, { workspaceId }, policy);
      const listed = data?.jobs.edges.find(({ node }) => node.id === id)?.node;
      const now = followed.current;
      if (now.jobId !== id) return;
      if (data === undefined) {
        setJobId(null); // how it ends cannot be said
        now.onDone();
      } else if (listed !== undefined) now.follow(listed);
      // Only what waits, runs or failed is listed; what is not among the latest may be.
      else if (!data.jobs.pageInfo.hasNextPage) now.follow({ id, state: "DONE", error: null });
    };
    void ask();
  }, [client, epoch, workspaceId]);

  const start = async () => {
    seen.current.clear();
    setJobId("");
    const work = client.mutation(ExtractMemoriesDocument, { workspaceId, conversationId });
    const data = await notices.dataOf(work, t("conversations.notExtracted"));
    if (data === undefined) {
      setJobId(null);
      return;
    }
    const job = data.extractMemories;
    setJobId(job.id);
    follow(seen.current.get(job.id) ?? job);
  };
  return { isReading: jobId !== null, start: () => void start() };
}
