import { Button, Select, Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { FileUp, MessagesSquare } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { type ConversationRowFragment, ConversationsDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Failure } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import { useAddress } from "../shell/useAddress";
import classes from "./conversations.module.css";

const PAGE = 40;
const MOST = 200; // that the server lists at once
const EVERY_MS = 10_000; // there are no events of conversations
const PLATFORM = "platform";

interface ConversationListProps {
  readonly openId: string | null;
  readonly onImport: () => void;
}

/** The conversations, the one last added to first. */
export function ConversationList({ openId, onImport }: ConversationListProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { epoch } = useServerState();
  const [search, setSearch] = useAddress();
  const platform = search.get(PLATFORM);
  const [first, setFirst] = useState(PAGE);
  const [{ data, error, fetching }, ask] = useQuery({
    query: ConversationsDocument,
    variables: { workspaceId, platform, first },
  });
  const reload = () => ask({ requestPolicy: "network-only" });
  useInterval(() => !document.hidden && reload(), EVERY_MS, { autoInvoke: true });
  useEffect(() => {
    if (epoch > 0) ask({ requestPolicy: "network-only" });
  }, [epoch, ask]);

  const rows = data?.conversations.edges.map((edge) => edge.node) ?? [];
  const known = usePlatforms(rows, platform);
  return (
    <nav className={`card ${classes.list}`} aria-label={t("conversations.title")}>
      {known.length > 1 && (
        <div className={classes.listHead}>
          <Select
            aria-label={t("conversations.platform")}
            placeholder={t("conversations.allPlatforms")}
            data={known}
            value={platform}
            onChange={(value) =>
              setSearch((now) => {
                if (value === null) now.delete(PLATFORM);
                else now.set(PLATFORM, value);
                return now;
              })
            }
            clearable
          />
        </div>
      )}
      {data === undefined && fetching && <Loading height={240} />}
      {data === undefined && error !== undefined && !fetching && (
        <Failure title={t("shell.notLoaded")} reason={reasonOf(error)} onRetry={reload} />
      )}
      {data !== undefined && rows.length === 0 && (
        <Empty icon={MessagesSquare} title={t("conversations.none")} text={t("conversations.noneText")}>
          <Button variant="default" mt="sm" leftSection={<FileUp size={15} aria-hidden />} onClick={onImport}>
            {t("conversations.import")}
          </Button>
        </Empty>
      )}
      {rows.map((row) => (
        <Line key={row.id} row={row} isOpen={row.id === openId} platform={platform} />
      ))}
      {data?.conversations.pageInfo.hasNextPage === true && first < MOST && (
        <Button
          variant="subtle"
          m="xs"
          onClick={() => setFirst((now) => Math.min(now + PAGE, MOST))}
          loading={fetching}
        >
          {t("conversations.moreOfList")}
        </Button>
      )}
    </nav>
  );
}

/** Return the platforms seen so far: what is chosen narrows the list, and the choice stays. */
function usePlatforms(rows: readonly ConversationRowFragment[], chosen: string | null): string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  const all = new Set([...known, ...(chosen === null ? [] : [chosen])]);
  for (const { platform } of rows) if (platform !== null && platform !== undefined) all.add(platform);
  if (all.size > known.length) setKnown([...all]);
  return [...all].sort();
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
