import { useMantineTheme } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslation } from "react-i18next";

interface TrendChartProps {
  readonly points: readonly { readonly day: string; readonly value: number; readonly samples: number }[];
  readonly height: number;
  readonly label: string;
  readonly written: (value: number) => string;
}

/** The days of a metric as an area. */
export default function TrendChart({ points, height, label, written }: TrendChartProps) {
  const { t, i18n } = useTranslation();
  const isStill = useReducedMotion();
  const accent = useMantineTheme().colors.accent?.[6] ?? "currentColor";
  const dayOf = (day: unknown) =>
    new Intl.DateTimeFormat(i18n.language, { month: "short", day: "numeric", timeZone: "UTC" }).format(
      new Date(String(day)),
    );
  const soft = { fill: "var(--studio-soft)", fontSize: 11 };
  return (
    <div role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height={height}>
        <AreaChart data={[...points]} margin={{ left: 0, right: 12, top: 8 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--studio-line)" vertical={false} />
          <XAxis
            dataKey="day"
            tickFormatter={dayOf}
            tick={soft}
            tickLine={false}
            axisLine={false}
            minTickGap={32}
          />
          <YAxis
            width={56}
            tick={soft}
            tickLine={false}
            axisLine={false}
            tickFormatter={(value) => written(Number(value))}
          />
          <Tooltip
            labelFormatter={dayOf}
            formatter={(value) => [written(Number(value)), t("agents.value")]}
            contentStyle={{
              background: "var(--studio-surface)",
              border: "1px solid var(--studio-line)",
              borderRadius: 8,
              fontSize: 12,
            }}
          />
          <Area
            dataKey="value"
            stroke={accent}
            strokeWidth={2}
            fill={accent}
            fillOpacity={0.12}
            dot={points.length < 8}
            isAnimationActive={!isStill}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}
