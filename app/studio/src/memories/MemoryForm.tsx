import { Alert, Button, Group, Select, Stack, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateMemoryInput } from "../../generated/operations";
import { ForWriters } from "../shell/ForWriters";
import { NumberField } from "../shell/NumberField";
import { takesBack, type TypedText, typedSince, withText } from "./drafts";
import { dayOf, startOf, TYPES } from "./filters";
import type { MemoryRow } from "./memoryList";
import { isPinned, PINNED } from "./pinning";
import { useDraft } from "./useDraft";

type Edited = Pick<MemoryRow, "content" | "type" | "tags" | "importance" | "expiresAt">;

interface MemoryFormProps {
  readonly memory: MemoryRow;
  readonly onSave: (input: UpdateMemoryInput) => Promise<boolean>; // ends when the saved memory is shown
}

const NOTHING = {};

/** Return the fields that differ from what is stored. */
function changedFields(memory: Edited, draft: Edited): UpdateMemoryInput {
  return {
    ...(draft.content.trim() !== memory.content && { content: draft.content.trim() }),
    ...(draft.type !== memory.type && { type: draft.type }),
    ...(draft.tags.join("\n") !== memory.tags.join("\n") && { tags: draft.tags }),
    ...(draft.importance !== memory.importance && { importance: draft.importance }),
    ...((draft.expiresAt ?? null) !== (memory.expiresAt ?? null) && { expiresAt: draft.expiresAt ?? null }),
  };
}

/** What of a memory may be corrected by hand. */
export function MemoryForm({ memory, onSave }: MemoryFormProps) {
  const { t } = useTranslation();
  // Only what was typed is kept, and stays whatever version it was typed over: it takes nothing back of what
  // others changed since, as a whole copy would.
  const [edited, setEdited, clear] = useDraft<Partial<Edited> & TypedText>(`form.${memory.id}`, NOTHING);
  const draft = { ...memory, ...edited };
  const changed = changedFields(memory, draft);
  const isUnchanged = Object.keys(changed).length === 0 || draft.content.trim() === "";
  const put = (part: Partial<Edited>) => setEdited((current) => ({ ...current, ...part }));

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(changed).then(
          (isSaved) => isSaved && setEdited((current) => typedSince(current, edited)),
        );
      }}
    >
      <ForWriters>
        <Stack gap="sm">
          <Textarea
            label={t("memories.content")}
            autosize
            minRows={3}
            maxRows={14}
            value={draft.content}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setEdited((current) => withText(current, value, memory.content));
            }}
          />
          {takesBack(edited, memory.content) && (
            <Alert color="yellow" title={t("memories.changedMeanwhile")}>
              {memory.content}
            </Alert>
          )}
          <Group grow>
            <Select
              label={t("memories.type")}
              data={TYPES.map((each) => ({ value: each, label: t(`type.${each}`) }))}
              value={draft.type}
              onChange={(value) => put({ type: TYPES.find((each) => each === value) ?? draft.type })}
              allowDeselect={false}
            />
            <NumberField
              label={t("memories.importance")}
              value={draft.importance}
              min={0}
              max={1}
              step={0.1}
              decimalScale={2}
              onChange={(importance) => put({ importance })}
            />
          </Group>
          <TagsInput
            label={t("memories.tags")}
            value={[...draft.tags]}
            onChange={(value) => put({ tags: value })}
          />
          <Switch
            label={t("memories.pinned")}
            description={t("memories.pinnedHint")}
            checked={isPinned(draft.tags)}
            onChange={(event) =>
              put({
                tags: event.currentTarget.checked
                  ? [...draft.tags, PINNED]
                  : draft.tags.filter((tag) => !isPinned([tag])),
              })
            }
          />
          <TextInput
            type="date"
            label={t("memories.expiresOn")}
            description={t("memories.expiresHint")}
            value={draft.expiresAt ? dayOf(draft.expiresAt) : ""}
            onChange={(event) => {
              const day = event.currentTarget.value;
              put({ expiresAt: day === "" ? null : startOf(day) });
            }}
          />
          <Group justify="flex-end" gap="xs">
            {!isUnchanged && (
              <Button variant="subtle" color="gray" onClick={clear}>
                {t("memories.discard")}
              </Button>
            )}
            <Button type="submit" disabled={isUnchanged}>
              {t("memories.save")}
            </Button>
          </Group>
        </Stack>
      </ForWriters>
    </form>
  );
}
