import {
  Button,
  Divider,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Slider,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TYPES } from "../memories/filters";
import { useFormats } from "../i18n/formats";
import classes from "./playground.module.css";
import { type Setting, type Simulation, STRATEGIES, USUAL } from "./simulation";

interface SimulationFormProps {
  readonly simulation: Simulation;
  readonly onChange: (simulation: Simulation) => void;
}

/** What is asked, and how. */
export function SimulationForm({ simulation, onChange }: SimulationFormProps) {
  const { t } = useTranslation();
  const { percent } = useFormats();
  const [query, setQuery] = useState(simulation.query);
  const put = (part: Partial<Simulation>) => onChange({ ...simulation, query, ...part });
  const { first, second } = simulation;
  return (
    <form
      className={`card ${classes.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        put({});
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={t("playground.query")}
          placeholder={t("playground.queryExample")}
          autosize
          minRows={3}
          maxRows={8}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) put({});
          }}
        />
        <Button type="submit" leftSection={<Play size={14} aria-hidden />} disabled={query.trim() === ""}>
          {t("playground.simulate")}
        </Button>
        <SettingFields
          label={second === null ? t("playground.setting") : t("playground.settingA")}
          setting={first}
          onChange={(setting) => put({ first: setting })}
        />
        <Switch
          label={t("playground.compare")}
          checked={second !== null}
          onChange={(event) =>
            put({ second: event.currentTarget.checked ? { ...first, strategy: otherThan(first) } : null })
          }
        />
        {second !== null && (
          <SettingFields
            label={t("playground.settingB")}
            setting={second}
            onChange={(setting) => put({ second: setting })}
          />
        )}
        <Divider label={t("playground.both")} labelPosition="left" />
        <div>
          <Group justify="space-between">
            <Text size="sm" fw={500}>
              {t("playground.threshold")}
            </Text>
            <Text size="sm" c="dimmed">
              {simulation.threshold === 0 ? t("playground.thresholdDefault") : percent(simulation.threshold)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" mb={6}>
            {t("playground.thresholdHint")}
          </Text>
          <Slider
            value={simulation.threshold}
            min={0}
            max={1}
            step={0.01}
            label={percent}
            thumbLabel={t("playground.threshold")}
            onChange={(threshold) => put({ threshold })}
          />
        </div>
        <MultiSelect
          label={t("memories.type")}
          placeholder={simulation.types.length === 0 ? t("memories.allTypes") : undefined}
          data={TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
          value={[...simulation.types]}
          onChange={(types) => put({ types: TYPES.filter((type) => types.includes(type)) })}
          clearable
        />
        <TextInput
          type="date"
          label={t("playground.asOf")}
          description={t("playground.asOfHint")}
          value={simulation.asOf}
          onChange={(event) => put({ asOf: event.currentTarget.value })}
        />
      </Stack>
    </form>
  );
}

function otherThan(setting: Setting): Setting["strategy"] {
  return setting.strategy === "HYBRID" ? "SEMANTIC" : "HYBRID";
}

interface SettingFieldsProps {
  readonly label: string;
  readonly setting: Setting;
  readonly onChange: (setting: Setting) => void;
}

function SettingFields({ label, setting, onChange }: SettingFieldsProps) {
  const { t } = useTranslation();
  const [isEmptied, setEmptied] = useState(false); // while another limit is typed
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Divider label={label} labelPosition="left" />
      <Select
        label={t("playground.strategy")}
        data={STRATEGIES.map((each) => ({ value: each, label: t(`strategy.${each}`) }))}
        value={setting.strategy}
        onChange={(value) =>
          onChange({ ...setting, strategy: STRATEGIES.find((each) => each === value) ?? USUAL.strategy })
        }
        allowDeselect={false}
      />
      <Group grow>
        <NumberInput
          label={t("playground.limit")}
          value={isEmptied ? "" : setting.limit}
          min={1}
          max={50}
          onChange={(value) => {
            setEmptied(value === "");
            if (value !== "") onChange({ ...setting, limit: Number(value) || USUAL.limit });
          }}
          onBlur={() => setEmptied(false)}
        />
        <NumberInput
          label={t("playground.budget")}
          value={setting.budget || ""}
          placeholder={t("playground.noBudget")}
          min={0}
          max={8000}
          step={100}
          onChange={(value) => onChange({ ...setting, budget: Number(value) || 0 })}
        />
      </Group>
    </Stack>
  );
}
