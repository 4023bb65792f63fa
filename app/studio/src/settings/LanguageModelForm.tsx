import { Alert, Button, Checkbox, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageModelInput } from "../../generated/operations";
import { typedSince } from "../memories/drafts";
import { useDraft } from "../memories/useDraft";
import { useWorkspaceId } from "../server/workspace";
import { isKeyDropped, isModelChanged, modelInput, type OwnModel, type TypedModel } from "./languageModels";

/** Why a language model was not taken; `field` is the input at fault, where it is one. */
export interface Refusal {
  readonly field: string | undefined;
  readonly reason: string;
}

const NOTHING: Partial<Pick<TypedModel, "url" | "model">> = {};
const FIELDS = ["url", "model", "key"];

interface LanguageModelFormProps {
  readonly own: OwnModel | null;
  readonly onSave: (input: LanguageModelInput) => Promise<Refusal | undefined>;
}

/** Address, name and key of a language model; the key is written and never read. */
export function LanguageModelForm({ own, onSave }: LanguageModelFormProps) {
  const { t } = useTranslation();
  const [edited, setEdited, clear] = useDraft(`model.${useWorkspaceId() ?? ""}`, NOTHING);
  const [key, setKey] = useState(""); // in no storage of the browser, unlike the rest of what is typed
  const [isForgotten, setForgotten] = useState(false);
  const isKeyless = isForgotten && own?.hasKey === true;
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const typed = { url: own?.url ?? "", model: own?.model ?? "", ...edited, key, isKeyless };
  const isChanged = isModelChanged(own, typed);
  const refused = (field: string) => (refusal?.field === field ? refusal.reason : undefined);
  const put = (part: typeof NOTHING) => {
    setRefusal(undefined);
    setEdited((now) => ({ ...now, ...part }));
  };
  const discard = () => {
    clear();
    setKey("");
    setForgotten(false);
    setRefusal(undefined);
  };
  const save = async () => {
    setSaving(true);
    const reason = await onSave(modelInput(typed));
    setSaving(false);
    setRefusal(reason);
    if (reason !== undefined) return;
    setEdited((now) => typedSince(now, edited));
    setKey((now) => (now === key ? "" : now));
    setForgotten((now) => now !== isForgotten && now);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="md" p="md" pt={0}>
        <TextInput
          type="url"
          label={t("model.url")}
          description={t("model.urlText")}
          placeholder="https://api.openai.com/v1"
          required
          value={typed.url}
          error={refused("url")}
          onChange={(event) => put({ url: event.currentTarget.value })}
        />
        <TextInput
          label={t("model.model")}
          description={t("model.modelText")}
          required
          value={typed.model}
          error={refused("model")}
          onChange={(event) => put({ model: event.currentTarget.value })}
        />
        <PasswordInput
          label={t("model.key")}
          description={t("model.keyText")}
          placeholder={own?.hasKey === true ? t("model.keySet") : t("model.keyNotSet")}
          autoComplete="new-password"
          disabled={isKeyless}
          value={key}
          error={refused("key")}
          aria-invalid={refused("key") !== undefined}
          visibilityToggleButtonProps={{ "aria-label": t("engine.showKey") }}
          onChange={(event) => {
            setRefusal(undefined);
            setKey(event.currentTarget.value);
          }}
        />
        {own?.hasKey === true && (
          <Checkbox
            label={t("model.forgetKey")}
            checked={isKeyless}
            onChange={(event) => {
              setKey("");
              setForgotten(event.currentTarget.checked);
            }}
          />
        )}
        {isKeyDropped(own, typed) && (
          <Alert color="yellow" icon={<TriangleAlert size={16} aria-hidden />}>
            {t("model.keyDropped")}
          </Alert>
        )}
        {refusal !== undefined && !FIELDS.includes(refusal.field ?? "") && (
          <Alert color="red">{refusal.reason}</Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Text size="xs" c="dimmed" flex="1 1 200px">
            {t("model.inForce")}
          </Text>
          <Button variant="subtle" color="gray" disabled={!isChanged || isSaving} onClick={discard}>
            {t("memories.discard")}
          </Button>
          <Button
            type="submit"
            loading={isSaving}
            disabled={!isChanged || typed.url.trim() === "" || typed.model.trim() === ""}
          >
            {t("memories.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
