import { Button, Group, Slider, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const DAY_MS = 86_400_000;
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

interface AsOfProps {
  readonly days: readonly [string, string];
  readonly value: string; // a day; empty: now
  readonly onChange: (day: string) => void;
}

/** A slider over the days as of whose end the server shows the graph: what had come by then, and was still true. */
export function AsOf({ days: [first, last], value, onChange }: AsOfProps) {
  const { t, i18n } = useTranslation();
  const [least, most] = [Date.parse(first), Date.parse(last)];
  const count = Math.round((most - least) / DAY_MS);
  const chosen = value === "" ? count : Math.round((Date.parse(value) - least) / DAY_MS);
  const [moved, setMoved] = useState<number | null>(null);
  const name = (place: number) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeZone: "UTC" }).format(
      least + place * DAY_MS,
    );
  return (
    <div className="card" style={{ padding: "10px 14px 14px" }}>
      <Group justify="space-between" mb={6} mih={24}>
        <Text size="sm" fw={500}>
          {t("graph.asOf")}
        </Text>
        {value === "" ? (
          <Text size="xs" c="dimmed">
            {t("graph.now")}
          </Text>
        ) : (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange("")}>
            {t("graph.backToNow")}
          </Button>
        )}
      </Group>
      <Slider
        min={0}
        max={count}
        value={moved ?? chosen}
        label={name}
        thumbLabel={t("graph.asOf")}
        onChange={setMoved}
        onChangeEnd={(place) => {
          setMoved(null);
          onChange(place === count ? "" : dayOf(least + place * DAY_MS));
        }}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {name(Math.min(count, Math.max(0, moved ?? chosen)))}
      </Text>
    </div>
  );
}
