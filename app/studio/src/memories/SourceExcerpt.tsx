import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { MessageSquareQuote } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { SourceConversationDocument } from "../../generated/operations";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { around } from "./around";
import classes from "./memories.module.css";

interface SourceExcerptProps {
  readonly conversationId: string;
  readonly messageId: string | null | undefined;
}

/** Where a memory was said: the message, with those around it, one click away. */
export function SourceExcerpt(props: SourceExcerptProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Excerpt {...props} />;
  return (
    <Button
      variant="default"
      leftSection={<MessageSquareQuote size={15} aria-hidden />}
      onClick={() => setOpen(true)}
    >
      {t("memories.whereSaid")}
    </Button>
  );
}

function Excerpt({ conversationId, messageId }: SourceExcerptProps) {
  const { t } = useTranslation();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useQuery({
    query: SourceConversationDocument,
    variables: { workspaceId, id: conversationId },
  });
  const found = answer.data?.conversation;
  const messages = found?.messages.edges.map((edge) => edge.node) ?? [];
  const excerpt = around(messages, messageId);
  return (
    <Loaded
      answer={answer}
      data={messages.length === 0 ? undefined : found}
      height={60}
      missing={
        <Text size="sm" c="dimmed">
          {t("memories.sourceGone")}
        </Text>
      }
      onRetry={() => ask()}
    >
      {(conversation) => (
        <Stack gap={6}>
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed">
              {[conversation.title, conversation.platform].filter(Boolean).join(" · ")}
            </Text>
            <Anchor
              component={Link}
              size="xs"
              to={link("/conversations", {
                conversation: conversation.id,
                ...(messageId && { message: messageId }),
              })}
            >
              {t("memories.openConversation")}
            </Anchor>
          </Group>
          {excerpt === undefined && (
            <Text size="sm" c="dimmed">
              {t("memories.sourceElsewhere")}
            </Text>
          )}
          {excerpt?.map((message) => (
            <div
              key={message.messageId}
              className={classes.said}
              data-source={message.messageId === messageId || undefined}
            >
              <Text size="xs" c="dimmed">
                {message.speaker ?? (message.role ? t(`role.${message.role}`) : "")}
              </Text>
              {message.content}
            </div>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}
