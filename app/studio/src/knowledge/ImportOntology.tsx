import { Button, Group, Text, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { ImportOntologyDocument, type ImportOntologyMutation } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { ChooseFile } from "../shell/ChooseFile";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useNotices } from "../shell/useNotices";
import { useTrial } from "../shell/useTrial";

type Report = ImportOntologyMutation["importOntology"];

interface ImportOntologyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Imports types from a file or text: first what would change, then, confirmed, that. */
export function ImportOntology({ opened, onClose, onDone }: ImportOntologyProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t("knowledge.import")}>
      <ImportForm onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function ImportForm({ onClose, onDone }: Omit<ImportOntologyProps, "opened">) {
  const { t } = useTranslation();
  const { say } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ error, fetching }, send] = useMutation(ImportOntologyDocument);
  const [content, setContent, , clearSent] = useDraft("ontology", "");
  const input = { content };
  const { answer: report, tryOut } = useTrial<typeof input, Report | undefined>(input);
  const ask = async (dryRun: boolean) =>
    (await send({ workspaceId, input: { ...input, dryRun } })).data?.importOntology;
  const confirm = async () => {
    if ((await ask(false)) === undefined) return;
    say(t("knowledge.imported"));
    onDone();
    if (clearSent(content)) onClose();
  };
  const changes = report === undefined ? 0 : changedNames(report).length;
  return (
    <DialogForm
      action={t("import.start")}
      isDisabled={changes === 0 || fetching}
      refusal={reasonOf(error)}
      aside={
        <Button
          variant="default"
          loading={fetching}
          disabled={content.trim() === ""}
          onClick={() => void tryOut(input, ask(true))}
        >
          {t("knowledge.tryOut")}
        </Button>
      }
      onCancel={onClose}
      onSubmit={() => void confirm()}
    >
      <Group>
        <ChooseFile accept=".json" onChoose={(file) => void file.text().then(setContent)} />
      </Group>
      <Textarea
        label={t("knowledge.text")}
        placeholder='{"entityTypes": [{"name": "Person"}], "relationTypes": []}'
        autosize
        minRows={6}
        maxRows={14}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      {report !== undefined && <ImportReport report={report} />}
    </DialogForm>
  );
}

function changedNames({ entityTypes, relationTypes }: Report): string[] {
  return [entityTypes, relationTypes].flatMap(({ created, updated }) => [...created, ...updated]);
}

function ImportReport({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const lines = (["created", "updated", "unchanged"] as const).flatMap((name) => {
    const names = [...report.entityTypes[name], ...report.relationTypes[name]];
    return names.length === 0 ? [] : [{ name, names }];
  });
  return (
    <div role="status">
      {lines.map(({ name, names }) => (
        <Text key={name} size="sm" style={{ overflowWrap: "anywhere" }}>
          <Text span size="sm" fw={600}>
            {t(`knowledge.${name}`, { count: names.length })}
          </Text>{" "}
          {names.join(", ")}
        </Text>
      ))}
    </div>
  );
}
