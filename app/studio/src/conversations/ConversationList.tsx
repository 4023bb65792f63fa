import { Button, Select, Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { FileUp, MessagesSquare } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { type ConversationRowFragment, ConversationsDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useServerState } from "../server/signals";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Empty } from "../shell/Empty";
import { useAddress } from "../shell/useAddress";
import classes from "./conversations.module.css";

const EVERY_MS = 10_000; // there are no events of conversations
const PLATFORM = "platform";

interface ConversationListProps {
  readonly openId: string | null;
  readonly onImport: () => void;
}

/** The conversations, the one last added to first. */
export function ConversationList({ openId, onImport }: ConversationListProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId();
  const { search, put } = useAddress();
  const platform = search.get(PLATFORM);
  const [known, see] = usePlatforms(platform);
  return (
    <nav className={`card ${classes.list}`} aria-label={t("conversations.title")}>
      {known.length > 1 && (
        <div className={classes.listHead}>
          <Select
            aria-label={t("conversations.platform")}
            placeholder={t("conversations.allPlatforms")}
            data={known}
            value={platform}
            onChange={(value) => put({ [PLATFORM]: value })}
            clearable
          />
        </div>
      )}
      <Lines
        key={JSON.stringify([workspaceId, platform])}
        openId={openId}
        platform={platform}
        after={null}
        onSeen={see}
      >
        <Empty icon={MessagesSquare} title={t("conversations.none")} text={t("conversations.noneText")}>
          <Button variant="default" mt="sm" leftSection={<FileUp size={15} aria-hidden />} onClick={onImport}>
            {t("conversations.import")}
          </Button>
        </Empty>
      </Lines>
    </nav>
  );
}

/** Return the platforms seen so far, and what adds to them: what is chosen narrows the list, and the choice stays. */
function usePlatforms(chosen: string | null): [string[], (rows: readonly ConversationRowFragment[]) => void] {
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const see = useCallback((rows: readonly ConversationRowFragment[]) => {
    const seen = rows.flatMap(({ platform }) => platform ?? []);
    setKnown((now) => (seen.every((each) => now.has(each)) ? now : new Set([...now, ...seen])));
  }, []);
  return [[...new Set([...known, ...(chosen === null ? [] : [chosen])])].sort(), see];
}

interface LinesProps {
  readonly openId: string | null;
  readonly platform: string | null;
  readonly after: string | null;
  readonly onSeen: (rows: readonly ConversationRowFragment[]) => void;
  readonly children?: ReactNode; // where there are none
}

/** A page of the list, and those that follow as far as they were asked for; each stays up to date by itself. */
function Lines({ openId, platform, after, onSeen, children }: LinesProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { epoch } = useServerState();
  const [isOpen, setOpen] = useState(false);
  const [{ data, error, fetching }, ask] = useQuery({
    query: ConversationsDocument,
    variables: { workspaceId, platform, after },
  });
  const [kept, setKept] = useState(data); // through requests that fail, and while the page before ends elsewhere
  if (data !== undefined && data !== kept) setKept(data);
  const page = (data ?? kept)?.conversations;
  const reload = useCallback(() => ask({ requestPolicy: "network-only" }), [ask]);
  useInterval(() => !document.hidden && reload(), EVERY_MS, { autoInvoke: true });
  useEffect(() => {
    if (epoch > 0) reload();
  }, [epoch, reload]);
  useEffect(() => {
    if (page !== undefined) onSeen(page.edges.map((edge) => edge.node));
  }, [page, onSeen]);

  return (
    <Loaded answer={{ fetching, error }} data={page} height={240} onRetry={reload}>
      {({ edges, pageInfo }) => (
        <>
          {edges.length === 0 && children}
          {edges.map(({ node }) => (
            <Line key={node.id} row={node} isOpen={node.id === openId} platform={platform} />
          ))}
          {pageInfo.hasNextPage &&
            (isOpen ? (
              <Lines openId={openId} platform={platform} after={pageInfo.endCursor ?? null} onSeen={onSeen} />
            ) : (
              <Button variant="subtle" m="xs" onClick={() => setOpen(true)}>
                {t("conversations.moreOfList")}
              </Button>
            ))}
        </>
      )}
    </Loaded>
  );
}

interface LineProps {
  readonly row: ConversationRowFragment;
  readonly isOpen: boolean;
  readonly platform: string | null;
}

function Line({ row, isOpen, platform }: LineProps) {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const link = useLinks();
  const facts = [
    row.platform,
    t("conversations.messages", { count: row.messageCount, shown: number(row.messageCount) }),
    row.memoryCount > 0 && t("memories.count", { count: row.memoryCount, shown: number(row.memoryCount) }),
  ].filter(Boolean);
  return (
    <Link
      className={classes.line}
      data-open={isOpen || undefined}
      aria-current={isOpen || undefined}
      to={link("/conversations", { conversation: row.id, ...(platform !== null && { platform }) })}
    >
      <span className={classes.lineHead}>
        <Text size="sm" fw={500} truncate flex={1}>
          {row.title ?? row.id}
        </Text>
        {row.lastActivityAt !== null && row.lastActivityAt !== undefined && (
          <Text size="xs" c="dimmed">
            {ago(row.lastActivityAt)}
          </Text>
        )}
      </span>
      <Text size="xs" c="dimmed" truncate>
        {facts.join(" · ")}
      </Text>
    </Link>
  );
}
