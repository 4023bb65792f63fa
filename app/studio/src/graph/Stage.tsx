import { Button, CloseButton, Loader, Text } from "@mantine/core";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import type { CanvasHandle } from "./Canvas";
import type { Drawing } from "./drawing";
import classes from "./graph.module.css";
import { Lasso } from "./Lasso";
import { markOf, type Marks, marksOf, NO_MARKS } from "./marks";
import { Toolbar } from "./Toolbar";

const Canvas = lazy(() => import("./Canvas"));
const canDraw = () => document.createElement("canvas").getContext("webgl2") !== null;

interface StageProps {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly isOverview: boolean;
  readonly chosenMarks: Marks; // by the lasso
  readonly hiddenCount: number;
  readonly remarks: readonly string[]; // after the counts
  readonly failure: string | undefined; // why this is not what the address says
  readonly onRetry: () => void;
  readonly onSelect: (id: string | null) => void;
  readonly onExpand: (id: string) => void;
  readonly onHide: (ids: readonly string[]) => void;
  readonly onChoose: (marks: Marks) => void;
  readonly onShowHidden: () => void;
  readonly onReset: () => void;
  readonly onOpenInBrowser: () => void;
}

/** The drawing with its tools; a lasso chooses nodes, to hide them or all others. */
export function Stage(props: StageProps) {
  const { drawing, selected, isOverview, chosenMarks, hiddenCount, remarks, failure } = props;
  const { onSelect, onExpand, onHide, onChoose } = props;
  const { t } = useTranslation();
  const { number } = useFormats();
  const handle = useRef<CanvasHandle>(null);
  const [isDrawable] = useState(canDraw);
  const [isLassoing, setLassoing] = useState(false);
  const chosen = useMemo(
    () =>
      new Set(
        chosenMarks.size === 0 ? [] : [...drawing.nodes.keys()].filter((id) => chosenMarks.has(markOf(id))),
      ),
    [chosenMarks, drawing],
  );
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
            chosen={chosen}
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
      {isLassoing && (
        <Lasso
          onDrawn={(polygon) => {
            onChoose(marksOf(handle.current?.idsWithin(polygon) ?? []));
            setLassoing(false);
          }}
        />
      )}
      <Toolbar
        handle={handle}
        drawing={drawing}
        isOverview={isOverview}
        isLassoing={isLassoing}
        hiddenCount={hiddenCount}
        onLasso={() => setLassoing(!isLassoing)}
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
      {chosen.size > 0 && (
        <div className={classes.chosen} role="toolbar" aria-label={t("graph.chosen")}>
          <span>{t("graph.chosenCount", { count: chosen.size, shown: number(chosen.size) })}</span>
          <Button size="compact-sm" variant="default" onClick={() => onHide([...chosen])}>
            {t("graph.hideChosen")}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onHide([...drawing.nodes.keys()].filter((id) => !chosen.has(id)))}
          >
            {t("graph.keepChosen")}
          </Button>
          <CloseButton size="sm" aria-label={t("graph.unselect")} onClick={() => onChoose(NO_MARKS)} />
        </div>
      )}
    </section>
  );
}
