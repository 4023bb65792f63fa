import { Select, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { DistillDocument, type DistillSource } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useNotices } from "../shell/useNotices";

const SOURCES: readonly DistillSource[] = ["ANSWER", "RESEARCH", "DEEP_THINK", "TOOL", "COMPACTION"];
const FEWEST = 200; // characters, of all but what a tool gave

interface DistilProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly conversationId: string;
}

/** The dialog that has facts taken from a long text which belongs to a conversation. */
export function Distil({ opened, onClose, conversationId }: DistilProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("distil.title")} size="lg">
      <DistilForm onClose={onClose} conversationId={conversationId} />
    </Dialog>
  );
}

function DistilForm({ onClose, conversationId }: Omit<DistilProps, "opened">) {
  const { t } = useTranslation();
  const notices = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [text, setText, , clearSent] = useDraft(`distil.${conversationId}`, "");
  const [source, setSource] = useState<DistillSource>("ANSWER");
  const [refusal, setRefusal] = useState<string>();
  const [{ fetching }, distil] = useMutation(DistillDocument);
  const isShort = text.trim().length < (source === "TOOL" ? 1 : FEWEST);
  const send = async () => {
    const input = { source, text: text.trim(), conversationId };
    const { data, error } = await distil({ workspaceId, input });
    if (data?.distill !== true) {
      setRefusal(data === undefined ? reasonOf(error) : t("distil.refused"));
      return;
    }
    notices.say(t("distil.accepted"));
    if (clearSent(text)) onClose();
  };
  return (
    <DialogForm
      action={t("distil.start")}
      isBusy={fetching}
      isDisabled={isShort}
      refusal={refusal}
      onCancel={onClose}
      onSubmit={() => void send()}
    >
      <Text size="sm" c="dimmed">
        {t("distil.text")}
      </Text>
      <Select
        label={t("distil.source")}
        data={SOURCES.map((each) => ({ value: each, label: t(`distil.${each}`) }))}
        value={source}
        onChange={(value) => setSource(SOURCES.find((each) => each === value) ?? source)}
        allowDeselect={false}
      />
      <Textarea
        label={t("distil.what")}
        description={source === "TOOL" ? undefined : t("distil.fewest", { count: FEWEST })}
        autosize
        minRows={6}
        maxRows={16}
        data-autofocus
        value={text}
        onChange={(event) => {
          setRefusal(undefined);
          setText(event.currentTarget.value);
        }}
      />
    </DialogForm>
  );
}
