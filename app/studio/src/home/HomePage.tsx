import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useSubscription } from "urql";
import { DecisionsDocument, HomeDocument, MemoryEventsDocument } from "../../generated/operations";
import { useAccount } from "../server/account";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Page } from "../shell/Page";
import { useKeptQuery } from "../shell/useKeptQuery";
import { Engine } from "./Engine";
import { FirstSteps } from "./FirstSteps";
import classes from "./home.module.css";
import { LearntToday } from "./LearntToday";
import { MemoryBanner } from "./MemoryBanner";
import { People } from "./People";
import { Sources } from "./Sources";
import { TypeCounts } from "./TypeCounts";
import { UNREAD_SHARE, UnreadBanner } from "./UnreadBanner";
import { useToday } from "./useToday";
import { Waiting } from "./Waiting";
import { MOST_PAIRS } from "./waitingMatters";

const SOON_MS = 2_000; // by when memories of a burst have their vectors

/** What a workspace knows, what it learnt today, and what waits for somebody's decision. */
export function HomePage() {
  const { t } = useTranslation();
  const own = useAccount().workspaceId;
  const workspaceId = useWorkspaceId() ?? null;
  const { epoch } = useServerState();
  const today = useToday();
  const [answer, ask] = useKeptQuery({
    query: HomeDocument,
    variables: { workspaceId, workspaceIds: [workspaceId ?? own], today },
  });
  const [{ data: decisions, error: undecided }, askForDecisions] = useKeptQuery({
    query: DecisionsDocument,
    variables: { workspaceId, first: MOST_PAIRS + 1 },
  });
  const decideSoon = useDebouncedCallback(() => askForDecisions({ requestPolicy: "network-only" }), SOON_MS);
  const reload = () => {
    ask({ requestPolicy: "network-only" });
    askForDecisions({ requestPolicy: "network-only" });
  };
  const [{ data: event }] = useSubscription({ query: MemoryEventsDocument, variables: { workspaceId } });
  useEffect(() => {
    if (epoch === 0 && event === undefined) return;
    ask({ requestPolicy: "network-only" });
    decideSoon();
  }, [epoch, event, ask, decideSoon]);
  const unread = answer.data?.engine.workspaces[0]?.unreadShare ?? 0;

  return (
    <Page title={t("home.title")} description={t("home.description")}>
      <Loaded answer={answer} data={answer.data} height={420} withCard onRetry={reload}>
        {(data) => (
          <>
            {data.workspace?.memoryEnabled === false && (
              <MemoryBanner workspaceId={workspaceId ?? own} onDone={reload} />
            )}
            {unread >= UNREAD_SHARE && (
              <UnreadBanner share={unread} signature={data.engine.embedder.signature ?? ""} />
            )}
            {data.everything.totalCount === 0 && <FirstSteps />}
            <div className={classes.grid}>
              <div className={classes.column}>
                <Waiting home={data} decisions={decisions} error={undecided} onDone={reload} />
                <LearntToday home={data} />
              </div>
              <div className={classes.column}>
                {data.everything.totalCount > 0 && <TypeCounts home={data} />}
                {data.everything.totalCount > 0 && <Sources home={data} />}
                <People home={data} />
                <Engine home={data} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
