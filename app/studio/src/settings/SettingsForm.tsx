import { Alert, Button, Group, NumberInput, Select, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpdateSettingsInput } from "../../generated/operations";
import { typedSince } from "../memories/drafts";
import { useDraft } from "../memories/useDraft";
import { useWorkspaceId } from "../server/workspace";
import { NumberField } from "../shell/NumberField";
import { changedSettings, type EditedSettings } from "./changedSettings";
import classes from "./settings.module.css";

const STRATEGIES = ["hybrid", "semantic", "recent"] as const;
const MOST_TOKENS = 16_000;
const MOST_DAYS = 365;

const NOTHING: Partial<EditedSettings> = {};

interface SettingsFormProps {
  readonly settings: EditedSettings;
  readonly onSave: (input: UpdateSettingsInput) => Promise<string | undefined>; // why it was refused
}

export function SettingsForm({ settings, onSave }: SettingsFormProps) {
  const { t } = useTranslation();
  const [edited, setEdited, clear] = useDraft(`settings.${useWorkspaceId() ?? ""}`, NOTHING);
  const draft = { ...settings, ...edited };
  const [refusal, setRefusal] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const changed = changedSettings(settings, draft);
  const put = (part: Partial<EditedSettings>) => {
    setRefusal(undefined);
    setEdited((now) => ({ ...now, ...part }));
  };
  const save = async () => {
    setSaving(true);
    const reason = await onSave(changed);
    setSaving(false);
    setRefusal(reason);
    if (reason === undefined) setEdited((now) => typedSince(now, edited));
  };
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap={0}>
        <Switch
          classNames={{ root: classes.line, body: classes.spread, label: classes.name }}
          labelPosition="left"
          label={t("settings.enabled")}
          description={t("settings.enabledText")}
          checked={draft.enabled}
          onChange={(event) => put({ enabled: event.currentTarget.checked })}
        />
        <NumberField
          className={classes.line}
          label={t("settings.maxTokens")}
          description={t("settings.maxTokensText")}
          value={draft.maxTokens}
          min={0}
          max={MOST_TOKENS}
          step={100}
          allowDecimal={false}
          onChange={(maxTokens) => put({ maxTokens })}
        />
        <NumberInput
          className={classes.line}
          label={t("settings.retentionDays")}
          description={t("settings.retentionText")}
          placeholder={t("settings.noLimit")}
          value={draft.retentionDays ?? ""}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          onChange={(value) => put({ retentionDays: value === "" ? null : Number(value) })}
        />
        <Select
          className={classes.line}
          label={t("playground.strategy")}
          description={t("settings.strategyText")}
          data={STRATEGIES.map((each) => ({ value: each, label: t(`settings.${each}`) }))}
          value={draft.strategy}
          onChange={(value) => put({ strategy: value ?? draft.strategy })}
          allowDeselect={false}
        />
        <Switch
          classNames={{ root: classes.line, body: classes.spread, label: classes.name }}
          labelPosition="left"
          label={t("settings.skills")}
          description={t("settings.skillsText")}
          checked={draft.skillsEnabled}
          onChange={(event) => put({ skillsEnabled: event.currentTarget.checked })}
        />
        {refusal !== undefined && (
          <Alert color="red" m="md">
            {refusal}
          </Alert>
        )}
        <Group justify="flex-end" p="md" gap="xs">
          <Text size="xs" c="dimmed" flex={1}>
            {t("settings.inForce")}
          </Text>
          <Button
            variant="subtle"
            color="gray"
            disabled={Object.keys(changed).length === 0 || isSaving}
            onClick={() => {
              setRefusal(undefined);
              clear();
            }}
          >
            {t("memories.discard")}
          </Button>
          <Button type="submit" loading={isSaving} disabled={Object.keys(changed).length === 0}>
            {t("memories.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
