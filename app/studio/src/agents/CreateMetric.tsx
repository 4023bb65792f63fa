import { Alert, Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateMetricDocument, type MetricAggregate, type MetricInput } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog } from "../shell/Dialog";
import { OutcomeSelect } from "./OutcomeSelect";

const AGGREGATES: readonly MetricAggregate[] = ["COUNT", "RATE", "MEAN_LATENCY"];
const NOTHING: MetricInput = { name: "", aggregate: "COUNT" };

interface CreateMetricProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}

/** The dialog to measure something of the workspace's own. */
export function CreateMetric({ opened, onClose, onCreated }: CreateMetricProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("agents.createMetric")}>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateForm({ onClose, onCreated }: Omit<CreateMetricProps, "opened">) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, create] = useMutation(CreateMetricDocument);
  const [draft, setDraft, , clearSent] = useDraft("metric", NOTHING);
  const [refusal, setRefusal] = useState<string>();
  const put = (part: Partial<MetricInput>) => {
    setRefusal(undefined);
    setDraft((now) => ({ ...now, ...part }));
  };
  const save = async () => {
    const { data, error } = await create({ workspaceId, input: draft });
    if (data === undefined) {
      setRefusal(reasonOf(error));
      return;
    }
    clearSent(draft);
    onCreated(data.createMetric.name);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("keys.name")}
          description={t("agents.metricNameHint")}
          required
          data-autofocus
          value={draft.name}
          onChange={(event) => put({ name: event.currentTarget.value.trim() })}
        />
        <Select
          label={t("agents.aggregate")}
          data={AGGREGATES.map((value) => ({ value, label: t(`aggregate.${value}`) }))}
          value={draft.aggregate}
          onChange={(value) => put({ aggregate: AGGREGATES.find((each) => each === value) ?? "COUNT" })}
          allowDeselect={false}
        />
        {(["actionType", "nodeType", "errorCode"] as const).map((name) => (
          <TextInput
            key={name}
            label={t(`agents.${name}`)}
            placeholder={t("agents.any")}
            value={draft[name] ?? ""}
            onChange={(event) => {
              const value = event.currentTarget.value.trim();
              put({ [name]: value === "" ? null : value });
            }}
          />
        ))}
        <OutcomeSelect value={draft.outcome ?? null} onChange={(outcome) => put({ outcome })} />
        {refusal !== undefined && <Alert color="red">{refusal}</Alert>}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t("shell.cancel")}
          </Button>
          <Button type="submit" loading={fetching} disabled={draft.name === ""}>
            {t("agents.createMetric")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
