import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Outcome } from "../../generated/operations";

const COLOURS = { SUCCESS: "green", ERROR: "red", DEAD_END: "yellow" } as const;

/** How something ended: a dot of its colour, and its name. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome | null | undefined }) {
  const { t } = useTranslation();
  if (outcome === null || outcome === undefined) return <span className="soft">–</span>;
  const dot = {
    display: "inline-block",
    width: 7,
    height: 7,
    borderRadius: "50%",
    background: `var(--mantine-color-${COLOURS[outcome]}-6)`,
  };
  return (
    <Badge variant="default" tt="none" miw="max-content" fw={500} leftSection={<span style={dot} />}>
      {t(`runEnd.${outcome}`)}
    </Badge>
  );
}
