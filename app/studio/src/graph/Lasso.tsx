import { type PointerEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./graph.module.css";
import type { Point } from "./polygon";

interface LassoProps {
  readonly onDrawn: (polygon: readonly Point[]) => void;
}

/** Lies over the drawing while nodes are chosen by a line around them. */
export function Lasso({ onDrawn }: LassoProps) {
  const { t } = useTranslation();
  const [line, setLine] = useState<readonly Point[]>([]);
  const pointOf = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): Point => ({
    x: offsetX,
    y: offsetY,
  });
  return (
    <svg
      className={classes.lasso}
      role="img"
      aria-label={t("graph.lassoHint")}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setLine([pointOf(event)]);
      }}
      onPointerMove={(event) => {
        if (line.length > 0) setLine([...line, pointOf(event)]);
      }}
      onPointerUp={() => {
        onDrawn(line);
        setLine([]);
      }}
      onPointerCancel={() => setLine([])}
    >
      <polygon points={line.map(({ x, y }) => `${x},${y}`).join(" ")} />
    </svg>
  );
}
