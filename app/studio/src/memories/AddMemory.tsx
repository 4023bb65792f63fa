import { Select, SimpleGrid, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { type MemoryType, SaveMemoryDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { CreateDialog } from "../shell/CreateDialog";
import { useNotices } from "../shell/useNotices";
import { TYPES } from "./filters";
import { MOST_CHARACTERS } from "./limits";

interface Typed {
  readonly content: string;
  readonly key: string;
  readonly type: MemoryType | null;
  readonly tags: readonly string[];
}

const NOTHING: Typed = { content: "", key: "", type: null, tags: [] };

interface AddMemoryProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The dialog to save a memory by hand. */
export function AddMemory({ opened, onClose, onSaved }: AddMemoryProps) {
  const { t } = useTranslation();
  const { say } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [, create] = useMutation(SaveMemoryDocument);
  return (
    <CreateDialog
      opened={opened}
      title={t("add.title")}
      size="lg"
      action={t("memories.save")}
      draft="add"
      nothing={NOTHING}
      isComplete={({ content }) => content.trim() !== ""}
      create={({ content, tags, key, type }) => {
        const input = {
          content: content.trim(),
          tags,
          ...(key.trim() !== "" && { key: key.trim() }),
          ...(type !== null && { type }),
        };
        return create({ workspaceId, input });
      }}
      onClose={onClose}
      onCreated={(data) => {
        say(t(`outcome.${data.saveMemory.outcome}`));
        onSaved();
      }}
    >
      {({ content, key, type, tags }, put) => (
        <>
          <Textarea
            label={t("memories.content")}
            description={t("add.contentHint")}
            placeholder={t("add.contentExample")}
            autosize
            minRows={3}
            maxRows={12}
            required
            data-autofocus
            value={content}
            onChange={(event) => put({ content: event.currentTarget.value })}
          />
          <Text
            size="xs"
            c={content.trim().length > MOST_CHARACTERS ? "var(--mantine-color-error)" : "dimmed"}
            ta="right"
            mt={-6}
          >
            {t("add.characters", { count: content.trim().length, most: MOST_CHARACTERS })}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Select
              label={t("memories.type")}
              placeholder={t("add.recognised")}
              data={TYPES.map((each) => ({ value: each, label: t(`type.${each}`) }))}
              value={type}
              onChange={(value) => put({ type: TYPES.find((each) => each === value) ?? null })}
              clearable
            />
            <TextInput
              label={t("memories.key")}
              placeholder={t("add.keyExample")}
              value={key}
              onChange={(event) => put({ key: event.currentTarget.value })}
            />
          </SimpleGrid>
          <Text size="xs" c="dimmed">
            {t("add.keyHint")}
          </Text>
          <TagsInput
            label={t("memories.tags")}
            description={t("memories.tagsHint")}
            value={[...tags]}
            onChange={(next) => put({ tags: next })}
          />
        </>
      )}
    </CreateDialog>
  );
}
