import { Button, Group, Stack, Text } from "@mantine/core";
import { NotebookPen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { type HandoffFragment, WriteHandoffDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { CopyText } from "../shell/CopyText";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
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
  const { dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, write] = useMutation(WriteHandoffDocument);
  const start = async () => {
    const work = write({ workspaceId, conversationId });
    if ((await dataOf(work, t("handoff.notWritten"))) !== undefined) onWritten();
  };
  if (!summary)
    return (
      <Empty icon={NotebookPen} title={t("handoff.none")} text={t("handoff.noneText")}>
        <ForWriters>
          <Button mt="sm" loading={fetching} onClick={() => void start()}>
            {t("handoff.write")}
          </Button>
        </ForWriters>
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
          <CopyText value={summary.markdown} />
          <ForWriters>
            <Button variant="default" loading={fetching} onClick={() => void start()}>
              {t("handoff.again")}
            </Button>
          </ForWriters>
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
