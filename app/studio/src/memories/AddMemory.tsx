import { Select, SimpleGrid, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { type MemoryType, SaveMemoryDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useCreation } from "../shell/useCreation";
import { useNotices } from "../shell/useNotices";
import { TYPES } from "./filters";
import { MOST_CHARACTERS } from "./limits";

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
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, create] = useMutation(SaveMemoryDocument);
  const { typed, put, refusal, send } = useCreation(
    "add",
    NOTHING,
    ({ content, tags, key, type }) => {
      const input = {
        content: content.trim(),
        tags,
        ...(key.trim() !== "" && { key: key.trim() }),
        ...(type !== null && { type }),
      };
      return create({ workspaceId, input });
    },
    (data, isSame) => {
      notices.say(t(`outcome.${data.saveMemory.outcome}`));
      onSaved();
      if (isSame) onClose();
    },
  );
  const content = typed.content.trim();
  const save = () => {
    if (content !== "" && !fetching) void send();
  };

  return (
    <DialogForm
      action={t("memories.save")}
      isBusy={fetching}
      isDisabled={content === ""}
      onCancel={onClose}
      onSubmit={save}
    >
      <Textarea
        label={t("memories.content")}
        description={t("add.contentHint")}
        placeholder={t("add.contentExample")}
        autosize
        minRows={3}
        maxRows={12}
        required
        data-autofocus
        value={typed.content}
        error={refusal}
        onChange={(event) => put({ content: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
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
          value={typed.type}
          onChange={(value) => put({ type: TYPES.find((type) => type === value) ?? null })}
          clearable
        />
        <TextInput
          label={t("memories.key")}
          placeholder={t("add.keyExample")}
          value={typed.key}
          onChange={(event) => put({ key: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t("add.keyHint")}
      </Text>
      <TagsInput
        label={t("memories.tags")}
        description={t("memories.tagsHint")}
        value={[...typed.tags]}
        onChange={(tags) => put({ tags })}
      />
    </DialogForm>
  );
}
