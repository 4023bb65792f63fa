import {
  Button,
  Group,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { type MemoryType, SaveMemoryDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog } from "../shell/Dialog";
import { useNotices } from "../shell/useNotices";
import { TYPES } from "./filters";
import { MOST_CHARACTERS } from "./limits";
import { useDraft } from "./useDraft";

interface Draft {
  readonly content: string;
  readonly key: string;
  readonly type: MemoryType | null;
  readonly tags: readonly string[];
}

const NOTHING: Draft = { content: "", key: "", type: null, tags: [] };

interface AddMemoryProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The dialog to save a memory by hand; what is typed stays until it is saved. */
export function AddMemory({ opened, onClose, onSaved }: AddMemoryProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("add.title")} size="lg">
      <AddForm onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

function AddForm({ onClose, onSaved }: Omit<AddMemoryProps, "opened">) {
  const { t } = useTranslation();
  const notices = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [draft, setDraft, , clearSent] = useDraft("add", NOTHING);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const put = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const content = draft.content.trim();

  const save = async () => {
    if (content === "" || isSaving) return;
    setSaving(true);
    const input = {
      content,
      tags: draft.tags,
      ...(draft.key.trim() !== "" && { key: draft.key.trim() }),
      ...(draft.type !== null && { type: draft.type }),
    };
    const { data, error } = await client.mutation(SaveMemoryDocument, { workspaceId, input });
    setSaving(false);
    if (data === undefined) {
      setRefusal(reasonOf(error));
      return;
    }
    notices.say(t(`outcome.${data.saveMemory.outcome}`));
    onSaved();
    if (clearSent(draft)) onClose();
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={t("memories.content")}
          description={t("add.contentHint")}
          placeholder={t("add.contentExample")}
          autosize
          minRows={3}
          maxRows={12}
          required
          data-autofocus
          value={draft.content}
          error={refusal}
          onChange={(event) => {
            setRefusal(undefined);
            put({ content: event.currentTarget.value });
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
        <Text
          size="xs"
          c={content.length > MOST_CHARACTERS ? "var(--mantine-color-error)" : "dimmed"}
          ta="right"
          mt={-6}
        >
          {t("add.characters", { count: content.length, most: MOST_CHARACTERS })}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Select
            label={t("memories.type")}
            placeholder={t("add.recognised")}
            data={TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
            value={draft.type}
            onChange={(value) => put({ type: TYPES.find((type) => type === value) ?? null })}
            clearable
          />
          <TextInput
            label={t("memories.key")}
            placeholder={t("add.keyExample")}
            value={draft.key}
            onChange={(event) => put({ key: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {t("add.keyHint")}
        </Text>
        <TagsInput
          label={t("memories.tags")}
          description={t("memories.tagsHint")}
          value={[...draft.tags]}
          onChange={(tags) => put({ tags })}
        />
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t("shell.cancel")}
          </Button>
          <Button type="submit" loading={isSaving} disabled={content === ""}>
            {t("memories.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
