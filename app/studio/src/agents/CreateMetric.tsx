import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateMetricDocument, type MetricAggregate, type MetricInput } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { CreateDialog } from "../shell/CreateDialog";
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
  const workspaceId = useWorkspaceId() ?? null;
  const [, create] = useMutation(CreateMetricDocument);
  return (
    <CreateDialog
      opened={opened}
      title={t("agents.createMetric")}
      action={t("agents.createMetric")}
      draft="metric"
      nothing={NOTHING}
      isComplete={({ name }) => name !== ""}
      create={(input) => create({ workspaceId, input })}
      onClose={onClose}
      onCreated={(data) => onCreated(data.createMetric.name)}
    >
      {(typed, put) => (
        <>
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
        </>
      )}
    </CreateDialog>
  );
}
