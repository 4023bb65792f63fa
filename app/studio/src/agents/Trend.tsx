import { Group, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { TrendDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Loading } from "../shell/Loading";
import { nameOf, isShare } from "./metricNames";

const TrendChart = lazy(() => import("./TrendChart"));
const HEIGHT = 200;

/** A metric over the last days, with its mean. */
export function Trend({ metric, days }: { readonly metric: string; readonly days: number }) {
  const { t } = useTranslation();
  const { number, percent } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useQuery({
    query: TrendDocument,
    variables: { workspaceId, metric, days },
  });
  const written = (value: number) => (isShare(metric) ? percent(value) : number(value, 1));
  const trend = answer.data?.benchmark;
  const name = nameOf(metric, t);
  return (
    <section className="card" style={{ padding: 16 }} aria-label={name}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h6">
          {name}
        </Title>
        {trend?.mean !== null && trend?.mean !== undefined && (
          <Text size="xs" c="dimmed">
            {t("agents.mean", { value: written(trend.mean) })}
          </Text>
        )}
      </Group>
      <Loaded answer={answer} data={trend?.points} height={HEIGHT} onRetry={() => ask()}>
        {(points) =>
          points.length === 0 ? (
            <Text size="sm" c="dimmed" ta="center" py="xl">
              {t("agents.noPoints", { count: days })}
            </Text>
          ) : (
            <Suspense fallback={<Loading height={HEIGHT} />}>
              <TrendChart
                points={points}
                height={HEIGHT}
                written={written}
                label={t("agents.chart", { name, value: written(points.at(-1)?.value ?? 0) })}
              />
            </Suspense>
          )
        }
      </Loaded>
    </section>
  );
}
