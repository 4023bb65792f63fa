import { Button, Loader, Text } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import type { CanvasHandle } from "./Canvas";
import type { Drawing } from "./drawing";
import classes from "./graph.module.css";
import { Toolbar } from "./Toolbar";

const Canvas = lazy(() => import("./Canvas"));
const canDraw = () => document.createElement("canvas").getContext("webgl2") !== null;

interface StageProps {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly isOverview: boolean;
  readonly hiddenCount: number;
  readonly remarks: readonly string[]; // after the counts
  readonly failure: string | undefined; // why this is not what the address says
  readonly onRetry: () => void;
  readonly onSelect: (id: string | null) => void;
  readonly onExpand: (id: string) => void;
  readonly onShowHidden: () => void;
  readonly onReset: () => void;
  readonly onOpenInBrowser: () => void;
}

/** The drawing with its tools. */
export function Stage(props: StageProps) {
  const { drawing, selected, isOverview, hiddenCount, remarks, failure } = props;
  const { onSelect, onExpand } = props;
  const { t } = useTranslation();
  const { number } = useFormats();
  const handle = useRef<CanvasHandle>(null);
  const [isDrawable] = useState(canDraw);
  const label = [
    t("graph.nodeCount", { count: drawing.nodes.size, shown: number(drawing.nodes.size) }),
    t("graph.edgeCount", { count: drawing.edges.size, shown: number(drawing.edges.size) }),
  ].join(" · ");
  return (
    <section className={`card ${classes.stage}`} aria-label={t("graph.drawing")}>
      {isDrawable ? (
        <Suspense
          fallback={<Loader className={classes.centre} role="status" aria-label={t("shell.loading")} />}
        >
          <Canvas
            drawing={drawing}
            selected={selected}
            label={label}
            handle={handle}
            onSelect={onSelect}
            onExpand={onExpand}
          />
        </Suspense>
      ) : (
        <Text className={classes.centre} c="dimmed">
          {t("graph.noWebgl")}
        </Text>
      )}
      <Toolbar
        handle={handle}
        drawing={drawing}
        isOverview={isOverview}
        hiddenCount={hiddenCount}
        onShowHidden={props.onShowHidden}
        onReset={props.onReset}
        onOpenInBrowser={props.onOpenInBrowser}
      />
      <div className={classes.count} role="status">
        {[label, ...remarks].join(" · ")}
        {failure !== undefined && (
          <div className={classes.failure}>
            <span>{failure}</span>
            <Button size="compact-xs" variant="default" onClick={props.onRetry}>
              {t("shell.retry")}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
