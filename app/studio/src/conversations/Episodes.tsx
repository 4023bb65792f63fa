import { Button, Group, Modal, NumberInput, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Layers } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation, useQuery } from "urql";
import { EpisodesDocument, RollUpDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Failure } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import { useNotices } from "../shell/useNotices";
import classes from "./conversations.module.css";
import { LearntHere } from "./LearntHere";
import type { Learnt } from "./useLearnt";

const PAGE = 20;
const MOST = 200; // that the server lists at once
const USUAL = { retainLast: 20, maxAgeDays: 30 };

interface EpisodesProps {
  readonly conversationId: string;
  readonly learnt: Learnt;
  readonly onChanged: () => void;
}

/** What is left of old turns: a summary in the place of each run of them, with what was learnt from them. */
export function Episodes({ conversationId, learnt, onChanged }: EpisodesProps) {
  const { t } = useTranslation();
  const { date, number } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const [first, setFirst] = useState(PAGE);
  const [isOpen, dialog] = useDisclosure(false);
  const [{ data, error, fetching }, ask] = useQuery({
    query: EpisodesDocument,
    variables: { workspaceId, conversationId, first },
  });
  const reload = () => ask({ requestPolicy: "network-only" });
  const episodes = data?.episodes.edges.map((edge) => edge.node) ?? [];
  const rollUp = (
    <Button
      variant="default"
      mt={episodes.length === 0 ? "sm" : undefined}
      leftSection={<Layers size={15} aria-hidden />}
      onClick={dialog.open}
    >
      {t("episodes.rollUp")}
    </Button>
  );
  return (
    <Stack p="md" gap="md">
      {data === undefined && fetching && <Loading height={160} />}
      {data === undefined && error !== undefined && !fetching && (
        <Failure title={t("shell.notLoaded")} reason={reasonOf(error)} onRetry={reload} />
      )}
      {data !== undefined && episodes.length === 0 && (
        <Empty icon={Layers} title={t("episodes.none")} text={t("episodes.noneText")}>
          {rollUp}
        </Empty>
      )}
      {episodes.length > 0 && <Group justify="flex-end">{rollUp}</Group>}
      {episodes.map((episode) => (
        <article key={episode.id} className={classes.episode} aria-label={t("episodes.one")}>
          <Text size="xs" c="dimmed">
            {[
              t("episodes.turns", { count: episode.turnCount, shown: number(episode.turnCount) }),
              date(episode.createdAt),
              episode.model ?? t("handoff.RULES"),
            ].join(" · ")}
          </Text>
          <Text size="sm" mt={4}>
            {episode.summary}
          </Text>
          {episode.fallback !== null && episode.fallback !== undefined && (
            <Text size="xs" c="dimmed" mt={4}>
              {episode.fallback}
            </Text>
          )}
          <LearntHere rows={episode.sourceMessageIds.flatMap(learnt.of)} actions={learnt.actions} />
        </article>
      ))}
      {data?.episodes.pageInfo.hasNextPage === true && first < MOST && (
        <Button variant="subtle" onClick={() => setFirst(MOST)} loading={fetching}>
          {t("episodes.more")}
        </Button>
      )}
      <RollUp
        conversationId={conversationId}
        opened={isOpen}
        onClose={dialog.close}
        onDone={() => {
          reload();
          onChanged();
        }}
      />
    </Stack>
  );
}

interface RollUpProps {
  readonly conversationId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RollUp({ conversationId, opened, onClose, onDone }: RollUpProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const notices = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ retainLast, maxAgeDays }, setCut] = useState(USUAL);
  const [{ fetching }, rollUp] = useMutation(RollUpDocument);
  const confirm = async () => {
    const { data, error } = await rollUp({ workspaceId, id: conversationId, retainLast, maxAgeDays });
    if (data === undefined) {
      notices.refuse(t("episodes.notRolledUp"), reasonOf(error));
      return;
    }
    const count = data.consolidateConversation?.turnCount ?? 0;
    notices.say(t("episodes.rolledUp", { count, shown: number(count) }));
    onClose();
    onDone();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("episodes.rollUp")}
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("episodes.text")}
        </Text>
        <Group grow align="flex-start">
          <NumberInput
            label={t("episodes.retainLast")}
            value={retainLast}
            min={0}
            max={10_000}
            data-autofocus
            onChange={(value) => setCut({ retainLast: Number(value) || 0, maxAgeDays })}
          />
          <NumberInput
            label={t("episodes.maxAgeDays")}
            value={maxAgeDays}
            min={0}
            max={36_500}
            onChange={(value) => setCut({ retainLast, maxAgeDays: Number(value) || 0 })}
          />
        </Group>
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t("shell.cancel")}
          </Button>
          <Button color="red.9" loading={fetching} onClick={() => void confirm()}>
            {t("episodes.confirm")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
