import { Alert, Button, FileButton, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { FileJson } from "lucide-react";
import { type DragEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { ImportMemoriesDocument, type SaveMemoryInput } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { BATCH, NoMemories, readMemories } from "./transfer";

interface ImportMemoriesProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Saves the memories of a file, chosen or dropped; says how many there are before it does. */
export function ImportMemories({ opened, onClose, onDone }: ImportMemoriesProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("import.title")}
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      <ImportForm onClose={onClose} onDone={onDone} />
    </Modal>
  );
}

function ImportForm({ onClose, onDone }: Omit<ImportMemoriesProps, "opened">) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [inputs, setInputs] = useState<readonly SaveMemoryInput[]>([]);
  const [saved, setSaved] = useState<number>();
  const [problem, setProblem] = useState<string>();

  const read = async (file: File | null | undefined) => {
    if (!file) return;
    setProblem(undefined);
    setInputs([]);
    try {
      setInputs(readMemories(await file.text()));
    } catch (error) {
      if (!(error instanceof NoMemories)) throw error;
      setProblem(t(`import.${error.problem}`, { line: error.line }));
    }
  };
  const send = async () => {
    for (let at = 0; at < inputs.length; at += BATCH) {
      setSaved(at);
      const batch = inputs.slice(at, at + BATCH);
      const { data, error } = await client.mutation(ImportMemoriesDocument, { workspaceId, inputs: batch });
      if (data === undefined) {
        setSaved(undefined);
        setInputs(inputs.slice(at)); // what came before is there; sending goes on where it stopped
        setProblem(reasonOf(error));
        return;
      }
    }
    notifications.show({
      closeButtonProps: { "aria-label": t("shell.close") },
      withBorder: true,
      message: t("import.done", { count: inputs.length, shown: number(inputs.length) }),
    });
    onDone();
    onClose();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };

  return (
    <Stack gap="md">
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
        <FileButton onChange={(file) => void read(file)} accept="application/json,.json">
          {(props) => (
            <Button variant="default" {...props}>
              {t("import.choose")}
            </Button>
          )}
        </FileButton>
      </Stack>
      {problem !== undefined && <Alert color="red">{problem}</Alert>}
      {inputs.length > 0 && (
        <Text size="sm" aria-live="polite">
          {t("import.found", { count: inputs.length, shown: number(inputs.length) })}
        </Text>
      )}
      {saved !== undefined && (
        <Progress value={(100 * saved) / inputs.length} aria-label={t("import.title")} animated />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t("shell.cancel")}
        </Button>
        <Button disabled={inputs.length === 0} loading={saved !== undefined} onClick={() => void send()}>
          {t("import.start")}
        </Button>
      </Group>
    </Stack>
  );
}
