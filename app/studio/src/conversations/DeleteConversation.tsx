import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { type ConversationRowFragment, DeleteConversationDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { useNotices } from "../shell/useNotices";

interface DeleteConversationProps {
  readonly conversation: ConversationRowFragment;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before a conversation is deleted, which cannot be undone. */
export function DeleteConversation({ conversation, opened, onClose, onDeleted }: DeleteConversationProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, remove] = useMutation(DeleteConversationDocument);
  const confirm = async () => {
    const work = remove(
      { workspaceId, id: conversation.id },
      { additionalTypenames: ["Conversation"] }, // the answer names none, and lists of them are loaded again
    );
    if ((await dataOf(work, t("conversations.notDeleted"))) === undefined) return;
    say(t("conversations.deleted"));
    onClose();
    onDeleted();
  };
  return (
    <Confirm
      opened={opened}
      title={t("conversations.deleteTitle", { title: conversation.title ?? conversation.id })}
      action={t("conversations.deleteForever")}
      isBusy={fetching}
      focus="cancel"
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <Text size="sm" c="dimmed">
        {t("conversations.deleteText", {
          count: conversation.messageCount,
          shown: number(conversation.messageCount),
        })}
      </Text>
    </Confirm>
  );
}
