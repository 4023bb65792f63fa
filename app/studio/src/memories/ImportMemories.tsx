import { Alert, Checkbox, List, Progress, ScrollArea, Stack, Text } from "@mantine/core";
import { FileJson } from "lucide-react";
import { type DragEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { ImportMemoriesDocument, type SaveMemoryInput } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { ChooseFile } from "../shell/ChooseFile";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useNotices } from "../shell/useNotices";
import { inBatches, type Refusal } from "./inBatches";
import { NoMemories, readMemories } from "./transfer";

interface ImportMemoriesProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Saves the memories of a file, chosen or dropped; says how many there are before it does. */
export function ImportMemories({ opened, onClose, onDone }: ImportMemoriesProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("import.title")}>
      <ImportForm onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function ImportForm({ onClose, onDone }: Omit<ImportMemoriesProps, "opened">) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const notices = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [inputs, setInputs] = useState<readonly SaveMemoryInput[]>([]);
  const [sent, setSent] = useState(0); // of the inputs
  const [isSending, setSending] = useState(false);
  const [restoreDeleted, setRestoreDeleted] = useState(false);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [problem, setProblem] = useState<string>();

  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    setProblem(undefined);
    setRefused([]);
    setInputs([]);
    setSent(0);
    try {
      setInputs(readMemories(await file.text()));
    } catch (error) {
      if (!(error instanceof NoMemories)) throw error;
      setProblem(t(`import.${error.problem}`, { line: error.line }));
    }
  };
  const send = async () => {
    setSending(true);
    setProblem(undefined);
    const done = await inBatches(
      inputs,
      sent,
      async (batch) => {
        const variables = { workspaceId, inputs: batch, restoreDeleted };
        const { data, error } = await client.mutation(ImportMemoriesDocument, variables);
        return data?.saveMemoryBatch ?? { reason: reasonOf(error) };
      },
      setSent,
    );
    const allRefused = [...refused, ...done.refused];
    setSending(false);
    setRefused(allRefused);
    setSent(done.next); // what came before is there; sending goes on where it stopped
    if (done.next < inputs.length) {
      setProblem(done.reason ?? t("shell.unreachable"));
      return;
    }
    const count = inputs.length - allRefused.length;
    notices.say(t("import.done", { count, shown: number(count) }));
    onDone();
    if (allRefused.length === 0) onClose();
  };
  const left = inputs.length - sent;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    if (!isSending) void read(event.dataTransfer.files[0]);
  };

  return (
    <DialogForm
      action={t("import.start")}
      isBusy={isSending}
      isDisabled={left === 0}
      refusal={problem}
      onCancel={onClose}
      onSubmit={() => void send()}
    >
      <Stack
        align="center"
        gap="xs"
        p="xl"
        style={{ border: "1px dashed var(--studio-line)", borderRadius: 12 }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        <FileJson size={24} aria-hidden />
        <Text size="sm" c="dimmed" ta="center">
          {t("import.text")}
        </Text>
        <ChooseFile
          accept="application/json,.json"
          disabled={isSending}
          onChoose={(file) => void read(file)}
        />
      </Stack>
      <Checkbox
        label={t("import.restoreDeleted")}
        checked={restoreDeleted}
        disabled={isSending}
        onChange={(event) => setRestoreDeleted(event.currentTarget.checked)}
      />
      {refused.length > 0 && (
        <Alert
          color="red"
          title={t("import.refused", { count: refused.length, shown: number(refused.length) })}
        >
          <ScrollArea.Autosize mah={200}>
            <List size="sm">
              {refused.map(({ line, reason }) => (
                <List.Item key={line}>{t("import.entry", { line, reason })}</List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
        </Alert>
      )}
      {left > 0 && (
        <Text size="sm" aria-live="polite">
          {t("import.found", { count: left, shown: number(left) })}
        </Text>
      )}
      {isSending && <Progress value={(100 * sent) / inputs.length} aria-label={t("import.title")} animated />}
    </DialogForm>
  );
}
