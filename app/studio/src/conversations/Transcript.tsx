import { ActionIcon, Button, Text, Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { BookmarkPlus, MessagesSquare } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  RememberMessageDocument,
  TranscriptDocument,
  type TranscriptQuery,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import type { MemoryRow } from "../memories/memoryList";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { useKeptQuery } from "../shell/useKeptQuery";
import { useNotices } from "../shell/useNotices";
import classes from "./conversations.module.css";
import type { Statement } from "./evidence";
import { LearntHere } from "./LearntHere";
import { Markdown } from "./Markdown";
import type { Learnt } from "./useLearnt";

export const PAGE = 50;
const EVERY_MS = 10_000; // there are no events of messages

type Message = NonNullable<TranscriptQuery["conversation"]>["messages"]["edges"][number]["node"];

interface TranscriptProps {
  readonly conversationId: string;
  readonly learnt: Learnt;
  readonly targetId: string | null;
  readonly after?: string | null;
}

/** What was said from a place on, a page at a time, up to the message that the address names where it names one. */
export function Transcript({ conversationId, learnt, targetId, after = null }: TranscriptProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { epoch } = useServerState();
  const [isOpen, setOpen] = useState(false);
  const [answer, ask] = useKeptQuery({
    query: TranscriptDocument,
    variables: { workspaceId, id: conversationId, first: PAGE, after },
  });
  const page = answer.data?.conversation?.messages;
  const isLast = page?.pageInfo.hasNextPage === false;
  const reload = useCallback(() => ask({ requestPolicy: "network-only" }), [ask]);
  useInterval(() => isLast && !document.hidden && reload(), EVERY_MS, { autoInvoke: true });
  useEffect(() => {
    if (epoch > 0) reload();
  }, [epoch, reload]);

  const messages = page?.edges.map((edge) => edge.node) ?? [];
  const isSought = targetId !== null && !messages.some((message) => message.messageId === targetId);
  const empty = after === null && (
    <Empty
      icon={MessagesSquare}
      title={t("conversations.noMessages")}
      text={t("conversations.noMessagesText")}
    />
  );
  return (
    <Loaded answer={answer} data={page} height={220} missing={empty} onRetry={reload}>
      {({ pageInfo }) => (
        <>
          {messages.length === 0 && empty}
          {messages.map((message) => (
            <MessageCard
              key={message.messageId}
              message={message}
              conversationId={conversationId}
              rows={learnt.of(message.messageId)}
              learnt={learnt}
              isTarget={message.messageId === targetId}
            />
          ))}
          {pageInfo.hasNextPage &&
            (isOpen || isSought ? (
              <Transcript
                conversationId={conversationId}
                learnt={learnt}
                targetId={isSought ? targetId : null}
                after={pageInfo.endCursor ?? null}
              />
            ) : (
              <Button variant="default" m="md" onClick={() => setOpen(true)}>
                {t("conversations.more")}
              </Button>
            ))}
        </>
      )}
    </Loaded>
  );
}

function statementOf({ id, content, metadata }: MemoryRow): Statement {
  const object = (metadata as { object?: unknown } | null)?.object;
  return { id, content, object: typeof object === "string" ? object : undefined };
}

interface MessageCardProps {
  readonly message: Message;
  readonly conversationId: string;
  readonly rows: readonly MemoryRow[];
  readonly learnt: Learnt;
  readonly isTarget: boolean;
}

function MessageCard({ message, conversationId, rows, learnt, isTarget }: MessageCardProps) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const card = useRef<HTMLElement>(null);
  const statements = useMemo(() => rows.map(statementOf), [rows]);
  const role = message.role ? t(`role.${message.role}`) : undefined;
  const speaker = message.speaker ?? role ?? t("conversations.somebody");
  useEffect(() => {
    if (isTarget) card.current?.scrollIntoView({ block: "center" });
  }, [isTarget]);
  return (
    <article
      ref={card}
      className={classes.message}
      data-role={message.role}
      data-target={isTarget || undefined}
      aria-label={speaker}
    >
      <header className={classes.speaker}>
        <Text size="sm" fw={600}>
          {speaker}
        </Text>
        {message.saidAt !== null && message.saidAt !== undefined && (
          <Text size="xs" c="dimmed">
            {date(message.saidAt)}
          </Text>
        )}
        <ForWriters>
          <Remember messageId={message.messageId} conversationId={conversationId} />
        </ForWriters>
      </header>
      <Markdown text={message.content} statements={statements} />
      <LearntHere rows={rows} actions={learnt.actions} />
    </article>
  );
}

function Remember({ messageId, conversationId }: { messageId: string; conversationId: string }) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, remember] = useMutation(RememberMessageDocument);
  const save = async () => {
    const work = remember({ workspaceId, input: { messageId, conversationId } });
    const data = await dataOf(work, t("conversations.notRemembered"));
    if (data !== undefined) say(t(`outcome.${data.rememberMessage.outcome}`));
  };
  return (
    <Tooltip label={t("conversations.remember")}>
      <ActionIcon
        className={classes.remember}
        variant="subtle"
        color="gray"
        loading={fetching}
        aria-label={t("conversations.remember")}
        onClick={() => void save()}
      >
        <BookmarkPlus size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
