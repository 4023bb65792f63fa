import { Button, Loader, Text } from "@mantine/core";
import { Waypoints } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Failure } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { expanded, type GraphAddress, readGraph, writeGraph } from "./address";
import { AsOf } from "./AsOf";
import type { CanvasHandle } from "./Canvas";
import { daysOf, narrowed } from "./drawing";
import classes from "./graph.module.css";
import { Legend } from "./Legend";
import { NodeList } from "./NodeList";
import { NodePanel } from "./NodePanel";
import { OpenInBrowser } from "./OpenInBrowser";
import { SearchBox } from "./SearchBox";
import { Toolbar } from "./Toolbar";
import { useDrawing } from "./useDrawing";

const Canvas = lazy(() => import("./Canvas"));
const canDraw = () => document.createElement("canvas").getContext("webgl2") !== null;

/** The graph from any node: expanded, narrowed, followed from one node to another, and taken elsewhere. */
export function GraphPage() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const [search, setSearch] = useAddress();
  const graph = useMemo(() => readGraph(search), [search]);
  const { drawing, phase, reason, isTruncated, hasNoWay, reload } = useDrawing(workspaceId, graph);
  const shown = useMemo(() => narrowed(drawing, graph), [drawing, graph]);
  const days = useMemo(() => daysOf(drawing), [drawing]);
  const handle = useRef<CanvasHandle>(null);
  const [isOpening, setOpening] = useState(false);
  const [isDrawable] = useState(canDraw);
  const put = (part: Partial<GraphAddress>, replace = true) =>
    setSearch((now) => writeGraph({ ...readGraph(now), ...part }, now), { replace });
  const select = (id: string | null) => put({ selected: id });
  const expand = (id: string, type: string | null = null) =>
    put({ expansions: expanded(graph.expansions, id, type), selected: id }, false);

  const isOverview = graph.expansions.length + graph.ways.length === 0;
  const selected = graph.selected === null ? undefined : shown.nodes.get(graph.selected);
  const label = [
    t("graph.nodeCount", { count: shown.nodes.size, shown: number(shown.nodes.size) }),
    t("graph.edgeCount", { count: shown.edges.size, shown: number(shown.edges.size) }),
  ].join(" · ");

  return (
    <Page
      title={t("graph.title")}
      description={t("graph.description")}
      width={1600}
      actions={<SearchBox onChoose={(id) => expand(id)} />}
    >
      {phase === "failed" && drawing.nodes.size === 0 ? (
        <div className="card">
          <Failure title={t("shell.notLoaded")} reason={reason} onRetry={reload} />
          {!isOverview && (
            <Text ta="center" pb="lg" size="sm">
              <Link to={link("/graph")}>{t("graph.overview")}</Link>
            </Text>
          )}
        </div>
      ) : phase === "loading" ? (
        <Loading height={520} />
      ) : drawing.nodes.size === 0 ? (
        <div className="card">
          <Empty icon={Waypoints} title={t("graph.none")} text={t("graph.noneText")}>
            <Button component={Link} to={link("/memories", { dialog: "add" })} mt="sm">
              {t("add.title")}
            </Button>
          </Empty>
        </div>
      ) : (
        <div className={classes.layout}>
          <section className={`card ${classes.stage}`} aria-label={t("graph.drawing")}>
            {isDrawable ? (
              <Suspense
                fallback={<Loader className={classes.centre} role="status" aria-label={t("shell.loading")} />}
              >
                <Canvas
                  drawing={shown}
                  selected={graph.selected}
                  label={label}
                  handle={handle}
                  onSelect={select}
                  onExpand={expand}
                />
              </Suspense>
            ) : (
              <Text className={classes.centre} c="dimmed">
                {t("graph.noWebgl")}
              </Text>
            )}
            <Toolbar
              handle={handle}
              drawing={shown}
              isOverview={isOverview}
              hiddenCount={graph.hiddenIds.length}
              onShowHidden={() => put({ hiddenIds: [] })}
              onReset={() => setSearch((now) => writeGraph(readGraph(new URLSearchParams()), now))}
              onOpenInBrowser={() => setOpening(true)}
            />
            <div className={classes.count} role="status">
              {label}
              {isTruncated && ` · ${t("graph.truncated")}`}
              {hasNoWay && ` · ${t("graph.noWay")}`}
            </div>
          </section>
          <aside className={classes.side}>
            <Legend
              drawing={drawing}
              hidden={graph.hiddenKinds}
              onChange={(hiddenKinds) => put({ hiddenKinds })}
            />
            {days !== null && <AsOf days={days} value={graph.asOf} onChange={(asOf) => put({ asOf })} />}
            {selected === undefined ? (
              <NodeList drawing={shown} onSelect={select} />
            ) : (
              <NodePanel
                key={selected.id}
                node={selected}
                drawing={shown}
                onSelect={select}
                onExpand={(type) => expand(selected.id, type)}
                onHide={() => put({ hiddenIds: [...graph.hiddenIds, selected.id], selected: null })}
                onWay={(to) => put({ ways: [...graph.ways, [selected.id, to]] }, false)}
              />
            )}
          </aside>
        </div>
      )}
      <OpenInBrowser opened={isOpening} drawing={shown} onClose={() => setOpening(false)} />
    </Page>
  );
}
