import { useTranslation } from "react-i18next";
import type { NodeKind } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { type Drawing, kindCounts } from "./drawing";
import classes from "./graph.module.css";
import { LOOKS } from "./style";

interface LegendProps {
  readonly drawing: Drawing;
  readonly hidden: readonly NodeKind[];
  readonly onChange: (hidden: NodeKind[]) => void;
}

/** The kinds of nodes with their colours and counts; each can be hidden. */
export function Legend({ drawing, hidden, onChange }: LegendProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const toggle = (kind: NodeKind) =>
    onChange(hidden.includes(kind) ? hidden.filter((each) => each !== kind) : [...hidden, kind]);
  return (
    <div className={classes.legend} role="group" aria-label={t("graph.kinds")}>
      {kindCounts(drawing).map(([kind, count]) => (
        <button
          key={kind}
          type="button"
          className={classes.kind}
          aria-pressed={!hidden.includes(kind)}
          onClick={() => toggle(kind)}
        >
          <i style={{ background: LOOKS[kind].color }} aria-hidden />
          {t(`nodeKind.${kind}`)} {number(count)}
        </button>
      ))}
    </div>
  );
}
