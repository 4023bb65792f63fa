import { ActionIcon, Button, Group, Select, Stack } from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation, useQuery } from "urql";
import { DeleteMetricDocument, MetricsDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { ForWriters } from "../shell/ForWriters";
import { useAddress } from "../shell/useAddress";
import { useNotices } from "../shell/useNotices";
import { CreateMetric } from "./CreateMetric";
import { BUILT_IN, nameOf } from "./metricNames";
import { Trend } from "./Trend";

const METRIC = "metric";
const DAYS = "days";
const SPANS = [7, 30, 90] as const;

/** How agents fare over time, by the built-in metrics and those of the workspace's own. */
export function Metrics() {
  const { t } = useTranslation();
  const { dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const [{ data }, ask] = useQuery({ query: MetricsDocument, variables: { workspaceId } });
  const [isCreating, setCreating] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [, remove] = useMutation(DeleteMetricDocument);
  const own = data?.metrics ?? [];
  const metric = search.get(METRIC) ?? BUILT_IN[0];
  const days = SPANS.find((each) => String(each) === search.get(DAYS)) ?? 30;
  const custom = own.find((each) => each.name === metric);
  const confirm = async () => {
    setDeleting(false);
    if (custom === undefined) return;
    const done = await dataOf(remove({ workspaceId, id: custom.id }));
    if (done !== undefined) put({ [METRIC]: null });
    ask({ requestPolicy: "network-only" });
  };
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <Select
          flex="1 1 200px"
          maw={340}
          label={t("agents.metric")}
          data={[
            {
              group: t("agents.builtIn"),
              items: BUILT_IN.map((value) => ({ value, label: nameOf(value, t) })),
            },
            ...(own.length > 0
              ? [{ group: t("agents.own"), items: own.map(({ name }) => ({ value: name, label: name })) }]
              : []),
          ]}
          value={metric}
          onChange={(value) => put({ [METRIC]: value })}
          allowDeselect={false}
        />
        <Select
          w={130}
          label={t("agents.span")}
          data={SPANS.map((each) => ({ value: String(each), label: t("agents.days", { count: each }) }))}
          value={String(days)}
          onChange={(value) => put({ [DAYS]: value })}
          allowDeselect={false}
        />
        <ForWriters>
          {custom !== undefined && (
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t("knowledge.deleteNamed", { name: custom.name })}
              onClick={() => setDeleting(true)}
            >
              <Trash2 size={15} aria-hidden />
            </ActionIcon>
          )}
          <Button ml="auto" leftSection={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
            {t("agents.createMetric")}
          </Button>
        </ForWriters>
      </Group>
      <Trend metric={metric} days={days} />
      <CreateMetric
        opened={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(name) => {
          setCreating(false);
          ask({ requestPolicy: "network-only" });
          put({ [METRIC]: name });
        }}
      />
      <Confirm
        opened={isDeleting}
        title={t("knowledge.deleteDocumentTitle", { name: custom?.name })}
        action={t("memories.delete")}
        onClose={() => setDeleting(false)}
        onConfirm={() => void confirm()}
      >
        {t("agents.deleteMetricText")}
      </Confirm>
    </Stack>
  );
}
