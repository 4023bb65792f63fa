import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Layers } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { EpisodesDocument, RollUpDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { noticesOf, reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { NumberField } from "../shell/NumberField";
import { PagedList } from "../shell/PagedList";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";
import classes from "./conversations.module.css";
import { LearntHere } from "./LearntHere";
import type { Learnt } from "./useLearnt";

const USUAL = { retainLast: 20, maxAgeDays: 30 };
const MOST = { retainLast: 10_000, maxAgeDays: 36_500 };

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
  const [isOpen, dialog] = useDisclosure(false);
  const pages = usePages(EpisodesDocument, { workspaceId, conversationId }, (data) => data.episodes);
  const { rows: episodes, reload } = pages;
  const rollUp = (
    <ForWriters>
      <Button
        variant="default"
        mt={episodes.length === 0 ? "sm" : undefined}
        leftSection={<Layers size={15} aria-hidden />}
        onClick={dialog.open}
      >
        {t("episodes.rollUp")}
      </Button>
    </ForWriters>
  );
  return (
    <Stack p="md" gap="md">
      <PagedList
        pages={pages}
        empty={
          <Empty icon={Layers} title={t("episodes.none")} text={t("episodes.noneText")}>
            {rollUp}
          </Empty>
        }
        height={160}
        more={t("episodes.more")}
        withCard={false}
      >
        <Group justify="flex-end">{rollUp}</Group>
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
            <LearntHere rows={episode.sourceMessageIds.flatMap(learnt.of)} actions={learnt.actions} />
          </article>
        ))}
      </PagedList>
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
    const answer = await rollUp({ workspaceId, id: conversationId, retainLast, maxAgeDays });
    const count = answer.data?.consolidateConversation?.turnCount;
    if (count === undefined) {
      notices.refuse(noticesOf(answer) ?? reasonOf(answer.error), t("episodes.notRolledUp"));
      return;
    }
    notices.say(t("episodes.rolledUp", { count, shown: number(count) }));
    onClose();
    onDone();
  };
  return (
    <Confirm
      opened={opened}
      title={t("episodes.rollUp")}
      action={t("episodes.confirm")}
      isBusy={fetching}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <Text size="sm" c="dimmed">
        {t("episodes.text")}
      </Text>
      <Group grow align="flex-start">
        <NumberField
          label={t("episodes.retainLast")}
          value={retainLast}
          min={0}
          max={MOST.retainLast}
          allowDecimal={false}
          data-autofocus
          onChange={(value) => setCut({ retainLast: value, maxAgeDays })}
        />
        <NumberField
          label={t("episodes.maxAgeDays")}
          value={maxAgeDays}
          min={0}
          max={MOST.maxAgeDays}
          allowDecimal={false}
          onChange={(value) => setCut({ retainLast, maxAgeDays: value })}
        />
      </Group>
    </Confirm>
  );
}
