import { ActionIcon, Button, Group, Menu, Tabs, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  ArrowLeft,
  Copy,
  FlaskConical,
  FolderInput,
  MessagesSquare,
  MoreHorizontal,
  Sparkles,
  Trash2,
} from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { ConversationDocument, type ConversationQuery, WorkspacesDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount, useMayWrite } from "../server/account";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Empty } from "../shell/Empty";
import { FailureLine } from "../shell/Failure";
import { ForWriters } from "../shell/ForWriters";
import { useKeptQuery } from "../shell/useKeptQuery";
import classes from "./conversations.module.css";
import { DeleteConversation } from "./DeleteConversation";
import { Distil } from "./Distil";
import { Episodes } from "./Episodes";
import { Handoff } from "./Handoff";
import { LearntHere } from "./LearntHere";
import { MoveConversation } from "./MoveConversation";
import { Transcript } from "./Transcript";
import { useCopying } from "./useCopying";
import { useExtraction } from "./useExtraction";
import { useLearnt } from "./useLearnt";

const TABS = ["transcript", "episodes", "handoff"] as const;

type Conversation = NonNullable<ConversationQuery["conversation"]>;

interface ConversationDetailProps {
  readonly id: string;
  readonly tab: string | null;
  readonly targetId: string | null;
  readonly onTab: (tab: string | null) => void;
  readonly onClose: () => void;
}

/** One conversation: what was said with what was learnt from it, its episodes, and what to hand on. */
export function ConversationDetail({ id, tab, targetId, onTab, onClose }: ConversationDetailProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({
    query: ConversationDocument,
    variables: { workspaceId, id },
  });
  const reload = useCallback(() => ask({ requestPolicy: "network-only" }), [ask]);
  const learnt = useLearnt(id);
  const unplaced = useMemo(() => learnt.rows.filter((row) => !row.sourceMessageId), [learnt.rows]);
  const found = answer.data?.conversation?.id === id ? answer.data.conversation : undefined;
  const shown = TABS.find((each) => each === tab) ?? "transcript";

  return (
    <section className={`card ${classes.detail}`} aria-label={found?.title ?? id}>
      <Loaded
        answer={answer}
        data={found}
        height={320}
        missing={
          <Empty icon={MessagesSquare} title={t("conversations.gone")} text={t("conversations.goneText")}>
            <Button variant="default" mt="sm" onClick={onClose}>
              {t("conversations.back")}
            </Button>
          </Empty>
        }
        onRetry={reload}
      >
        {(conversation) => (
          <>
            <Head
              conversation={conversation}
              memoryCount={learnt.total}
              onClose={onClose}
              onChanged={reload}
            />
            {learnt.failure && <FailureLine {...learnt.failure} />}
            <Tabs
              value={shown}
              onChange={(value) => onTab(value === "transcript" ? null : value)}
              keepMounted={false}
            >
              <Tabs.List px="md">
                {TABS.map((each) => (
                  <Tabs.Tab key={each} value={each}>
                    {t(`conversations.${each}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="transcript">
                {unplaced.length > 0 && (
                  <div className={classes.unplaced}>
                    <Text size="xs" c="dimmed">
                      {t("conversations.unplaced")}
                    </Text>
                    <LearntHere rows={unplaced} actions={learnt.actions} />
                  </div>
                )}
                <Transcript conversationId={id} learnt={learnt} targetId={targetId} />
              </Tabs.Panel>
              <Tabs.Panel value="episodes">
                <Episodes conversationId={id} learnt={learnt} onChanged={reload} />
              </Tabs.Panel>
              <Tabs.Panel value="handoff">
                <Handoff conversationId={id} summary={conversation.handoffSummary} onWritten={reload} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
    </section>
  );
}

interface HeadProps {
  readonly conversation: Conversation;
  readonly memoryCount: number | undefined; // undefined: not known
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function Head({ conversation, memoryCount, onClose, onChanged }: HeadProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { id, title, platform, messageCount, userId, agentId } = conversation;
  const [isDistilling, distilling] = useDisclosure(false);
  const [isDeleting, deleting] = useDisclosure(false);
  const [isMoving, moving] = useDisclosure(false);
  const own = useAccount().workspaceId;
  const mayWrite = useMayWrite();
  const here = useWorkspaceId() ?? own;
  const [{ data }] = useQuery({ query: WorkspacesDocument });
  const others = data?.workspaces.edges.map((edge) => edge.node).filter((each) => each.id !== here) ?? [];
  const { isReading, start } = useExtraction(id, onChanged);
  const copy = useCopying(id);
  const facts = [
    platform,
    userId,
    agentId,
    t("conversations.messages", { count: messageCount, shown: number(messageCount) }),
    memoryCount !== undefined && t("memories.count", { count: memoryCount, shown: number(memoryCount) }),
  ].filter(Boolean);
  return (
    <div className={classes.head}>
      <ActionIcon
        className={classes.back}
        variant="subtle"
        color="gray"
        aria-label={t("conversations.back")}
        onClick={onClose}
      >
        <ArrowLeft size={16} aria-hidden />
      </ActionIcon>
      <div className={classes.headText}>
        <Title order={2} lineClamp={2}>
          {title ?? id}
        </Title>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {facts.join(" · ")}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <ForWriters>
          <Button
            variant="default"
            leftSection={<Sparkles size={15} aria-hidden />}
            loading={isReading}
            disabled={messageCount === 0}
            onClick={start}
          >
            {t("conversations.extract")}
          </Button>
        </ForWriters>
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t("memories.more")}>
              <MoreHorizontal size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Copy size={14} aria-hidden />} onClick={copy}>
              {t("conversations.copy")}
            </Menu.Item>
            <Menu.Item
              leftSection={<FlaskConical size={14} aria-hidden />}
              disabled={!mayWrite}
              onClick={distilling.open}
            >
              {t("conversations.distil")}
            </Menu.Item>
            {others.length > 0 && (
              <Menu.Item
                leftSection={<FolderInput size={14} aria-hidden />}
                disabled={!mayWrite}
                onClick={moving.open}
              >
                {t("conversations.move")}
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={14} aria-hidden />}
              disabled={!mayWrite}
              onClick={deleting.open}
            >
              {t("conversations.delete")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Distil opened={isDistilling} onClose={distilling.close} conversationId={id} />
      <MoveConversation
        conversation={conversation}
        workspaces={others}
        opened={isMoving}
        onClose={moving.close}
      />
      <DeleteConversation
        conversation={conversation}
        opened={isDeleting}
        onClose={deleting.close}
        onDeleted={onClose}
      />
    </div>
  );
}
