import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { Check, Copy, NotebookPen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { type HandoffFragment, WriteHandoffDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { useNotices } from "../shell/useNotices";
import { Markdown } from "./Markdown";

interface HandoffProps {
  readonly conversationId: string;
  readonly summary: HandoffFragment | null | undefined;
  readonly onWritten: () => void;
}

/** What whoever goes on with a conversation must know, to copy; who wrote it is said. */
export function Handoff({ conversationId, summary, onWritten }: HandoffProps) {
  const { t } = useTranslation();
  const { date, number } = useFormats();
  const notices = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, write] = useMutation(WriteHandoffDocument);
  const start = async () => {
    const { data, error } = await write({ workspaceId, conversationId });
    if (data === undefined) notices.refuse(t("handoff.notWritten"), reasonOf(error));
    else onWritten();
  };
  if (!summary)
    return (
      <Empty icon={NotebookPen} title={t("handoff.none")} text={t("handoff.noneText")}>
        <Button mt="sm" loading={fetching} onClick={() => void start()}>
          {t("handoff.write")}
        </Button>
      </Empty>
    );
  return (
    <Stack p="md" gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" flex="1 1 220px">
          {[
            summary.model ?? t(`handoff.${summary.summarisedBy}`),
            t("conversations.messages", { count: summary.messageCount, shown: number(summary.messageCount) }),
            date(summary.updatedAt),
          ].join(" · ")}
        </Text>
        <Group gap="xs">
          <CopyButton value={summary.markdown}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
                onClick={copy}
              >
                {copied ? t("shell.copied") : t("shell.copy")}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" loading={fetching} onClick={() => void start()}>
            {t("handoff.again")}
          </Button>
        </Group>
      </Group>
      {summary.fallback !== null && summary.fallback !== undefined && (
        <Text size="xs" c="dimmed">
          {summary.fallback}
        </Text>
      )}
      <Markdown text={summary.markdown} />
    </Stack>
  );
}
