import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Group,
  Switch,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { MessageCircle, MessageCirclePlus, Send, Square } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSubscription } from "urql";
import { MemoryEventsDocument } from "../../generated/operations";
import { MemoryOff } from "../home/MemoryBanner";
import { useDraft } from "../memories/useDraft";
import { useAccount } from "../server/account";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { newId } from "../shell/ids";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { useNotices } from "../shell/useNotices";
import classes from "./chat.module.css";
import { MemoriesSidebar } from "./MemoriesSidebar";
import { Turn } from "./Turn";
import { useChat } from "./useChat";
import { WorkingSet } from "./WorkingSet";

const CONVERSATION = "conversation";

const newConversationId = () => `studio-${newId()}`;

/** A chat with a model that is given what is remembered; what it learns is said, and stands beside it. */
export function ChatPage() {
  const { t } = useTranslation();
  const notices = useNotices();
  const { search, put } = useAddress();
  const conversationId = search.get(CONVERSATION);
  const own = useAccount().workspaceId;
  const isElsewhere = (useWorkspaceId() ?? own) !== own;
  const begin = (id: string, replace: boolean) => put({ [CONVERSATION]: id }, { replace });
  useEffect(() => {
    if (conversationId === null) begin(newConversationId(), true);
  });
  useSubscription({ query: MemoryEventsDocument, variables: { workspaceId: null } }, (_, event) => {
    const { type, memory } = event.memoryEvents;
    if (type === "AUTO_SAVED" && memory) notices.say(t("chat.learnt", { content: memory.content }));
    return event;
  });
  return (
    <Page
      title={t("chat.title")}
      description={t("chat.description")}
      actions={
        <Button
          variant="default"
          leftSection={<MessageCirclePlus size={15} aria-hidden />}
          onClick={() => begin(newConversationId(), false)}
        >
          {t("chat.new")}
        </Button>
      }
    >
      {isElsewhere && <Alert color="yellow">{t("chat.ownWorkspace")}</Alert>}
      <MemoryOff workspaceId={own} />
      <div className={classes.grid}>
        {conversationId === null ? <div /> : <ChatPanel key={conversationId} id={conversationId} />}
        <MemoriesSidebar />
      </div>
    </Page>
  );
}

function ChatPanel({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [model, setModel] = useLocalStorage({ key: "recollect.chat.model", defaultValue: "" });
  const [isMemoryOn, setMemoryOn] = useLocalStorage({ key: "recollect.chat.memory", defaultValue: true });
  const [text, setText, clear] = useDraft(`chat.text.${id}`, "");
  const chat = useChat({ conversationId: id, model: model.trim(), isMemoryOn });
  const end = useRef<HTMLDivElement>(null);
  const { exchanges, isAnswering } = chat;
  const length = exchanges.at(-1)?.answer.length ?? 0;
  useEffect(() => {
    if (exchanges.length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [exchanges.length, length]);

  const mayAsk = text.trim() !== "" && model.trim() !== "" && !isAnswering;
  const ask = () => {
    if (!mayAsk) return;
    chat.ask(text.trim());
    clear();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <div className={`card ${classes.panel}`}>
      <div className={classes.turns}>
        {exchanges.length === 0 && (
          <Empty icon={MessageCircle} title={t("chat.empty")} text={t("chat.emptyText")} />
        )}
        {exchanges.map((exchange, index) => {
          const isLast = index === exchanges.length - 1;
          return (
            <Turn
              key={index}
              exchange={exchange}
              conversationId={id}
              isAnswering={isLast && isAnswering}
              onAgain={isLast && !isAnswering ? chat.again : undefined}
            />
          );
        })}
        <div ref={end} />
      </div>
      <form
        className={classes.composer}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Group gap="md" align="flex-end">
          <TextInput
            flex="1 1 180px"
            size="xs"
            label={t("chat.model")}
            placeholder="gpt-4.1-mini"
            error={text.trim() !== "" && model.trim() === "" && t("chat.nameModel")}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <Switch
            size="sm"
            mb={6}
            label={t("chat.memory")}
            checked={isMemoryOn}
            onChange={(event) => setMemoryOn(event.currentTarget.checked)}
          />
        </Group>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Textarea
            flex={1}
            aria-label={t("chat.message")}
            placeholder={t("chat.messageHint")}
            autosize
            minRows={2}
            maxRows={10}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKey}
          />
          {isAnswering ? (
            <Tooltip label={t("chat.stop")}>
              <ActionIcon size={36} variant="default" aria-label={t("chat.stop")} onClick={chat.stop}>
                <Square size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          ) : (
            <ActionIcon size={36} type="submit" aria-label={t("chat.send")} disabled={!mayAsk}>
              <Send size={15} aria-hidden />
            </ActionIcon>
          )}
        </Group>
        <WorkingSet conversationId={id} />
        {exchanges.length > 0 && isMemoryOn && (
          <Text size="xs" c="dimmed">
            <Anchor component={Link} to={`/conversations?conversation=${id}`} size="xs">
              {t("chat.seeCaptured")}
            </Anchor>
          </Text>
        )}
      </form>
    </div>
  );
}
