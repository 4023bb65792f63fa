import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateMetricDocument, type MetricAggregate, type MetricInput } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useCreation } from "../shell/useCreation";
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
  const { typed, put, refusal, send } = useCreation(
    "metric",
    NOTHING,
    (input) => create({ workspaceId, input }),
    (data) => onCreated(data.createMetric.name),
  );
  return (
    <DialogForm
      action={t("agents.createMetric")}
      isBusy={fetching}
      isDisabled={typed.name === ""}
      refusal={refusal}
      onCancel={onClose}
      onSubmit={() => void send()}
    >
      <TextInput
        label={t("keys.name")}
        description={t("agents.metricNameHint")}
        required
        data-autofocus
        value={typed.name}
        onChange={(event) => put({ name: event.currentTarget.value.trim() })}
      />
      <Select
        label={t("agents.aggregate")}
        data={AGGREGATES.map((value) => ({ value, label: t(`aggregate.${value}`) }))}
        value={typed.aggregate}
        onChange={(value) => put({ aggregate: AGGREGATES.find((each) => each === value) ?? "COUNT" })}
        allowDeselect={false}
      />
      {(["actionType", "nodeType", "errorCode"] as const).map((name) => (
        <TextInput
          key={name}
          label={t(`agents.${name}`)}
          placeholder={t("agents.any")}
          value={typed[name] ?? ""}
          onChange={(event) => {
            const value = event.currentTarget.value.trim();
            put({ [name]: value === "" ? null : value });
          }}
        />
      ))}
      <OutcomeSelect value={typed.outcome ?? null} onChange={(outcome) => put({ outcome })} />
    </DialogForm>
  );
}
