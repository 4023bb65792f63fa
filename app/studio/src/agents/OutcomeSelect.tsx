import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Outcome } from "../../generated/operations";

const OUTCOMES: readonly Outcome[] = ["SUCCESS", "ERROR", "DEAD_END"];

/** Return the outcome that a text names; null: any. */
export function outcomeOf(text: string | null): Outcome | null {
  return OUTCOMES.find((each) => each === text?.toUpperCase()) ?? null;
}

interface OutcomeSelectProps {
  readonly value: Outcome | null;
  readonly onChange: (outcome: Outcome | null) => void;
}

export function OutcomeSelect({ value, onChange }: OutcomeSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t("knowledge.outcome")}
      placeholder={t("agents.anyOutcome")}
      data={OUTCOMES.map((each) => ({ value: each, label: t(`runEnd.${each}`) }))}
      value={value}
      onChange={(chosen) => onChange(outcomeOf(chosen))}
      clearable
      maw={220}
    />
  );
}
