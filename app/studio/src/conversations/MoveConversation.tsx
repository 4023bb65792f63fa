import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useMutation, useQuery } from "urql";
import {
  type ConversationRowFragment,
  MoveConversationDocument,
  WorkspacesCalledDocument,
  type WorkspacesQuery,
} from "../../generated/operations";
import { useAccount } from "../server/account";
import { useWorkspaceId, WORKSPACE } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { useNotices } from "../shell/useNotices";

const SOON_MS = 250;
type Workspace = Pick<WorkspacesQuery["workspaces"]["edges"][number]["node"], "id" | "name">;

interface MoveConversationProps {
  readonly conversation: ConversationRowFragment;
  readonly workspaces: readonly Workspace[]; // the first there are; others are found by what they are called
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks where a conversation is to go with what was learnt in it, and leads there. */
export function MoveConversation({ conversation, workspaces, opened, onClose }: MoveConversationProps) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const navigate = useNavigate();
  const own = useAccount().workspaceId;
  const workspaceId = useWorkspaceId() ?? null;
  const [target, setTarget] = useState<Workspace>();
  const [text, setText] = useState("");
  const [called] = useDebouncedValue(text.trim(), SOON_MS);
  const [{ data: found }] = useQuery({
    query: WorkspacesCalledDocument,
    variables: { called },
    pause: called === "",
  });
  const [{ fetching }, move] = useMutation(MoveConversationDocument);
  const { id } = conversation;
  const here = workspaceId ?? own;
  const named = found?.workspaces.edges.map((edge) => edge.node) ?? [];
  const choices = new Map(
    [...workspaces, ...named, ...(target ? [target] : [])].map((each) => [each.id, each]),
  );
  choices.delete(here);
  const confirm = async () => {
    if (target === undefined) return;
    const work = move({ workspaceId, id, toWorkspaceId: target.id });
    if ((await dataOf(work, t("conversations.notMoved"))) === undefined) return;
    say(t("conversations.moved", { name: target.name }));
    onClose();
    const there = { conversation: id, ...(target.id !== own && { [WORKSPACE]: target.id }) };
    void navigate(`/conversations?${new URLSearchParams(there).toString()}`);
  };
  return (
    <Confirm
      opened={opened}
      title={t("conversations.moveTitle", { title: conversation.title ?? id })}
      action={t("conversations.moveNow")}
      isHarmless
      isBusy={fetching}
      isDisabled={target === undefined}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <Text size="sm" c="dimmed">
        {t("conversations.moveText")}
      </Text>
      <Select
        label={t("shell.workspace")}
        data={[...choices.values()].map((each) => ({ value: each.id, label: each.name }))}
        value={target?.id ?? null}
        onChange={(chosen) => setTarget(choices.get(chosen ?? ""))}
        searchable
        searchValue={text}
        onSearchChange={setText}
        data-autofocus
      />
    </Confirm>
  );
}
