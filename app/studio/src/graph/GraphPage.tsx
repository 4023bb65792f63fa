import { Button, Text } from "@mantine/core";
import { Waypoints } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Failure } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { expanded, type GraphAddress, readGraph, writeGraph } from "./address";
import { AsOf } from "./AsOf";
import { daysOf, narrowed } from "./drawing";
import classes from "./graph.module.css";
import { Legend } from "./Legend";
import { NodeList } from "./NodeList";
import { NodePanel } from "./NodePanel";
import { OpenInBrowser } from "./OpenInBrowser";
import { SearchBox } from "./SearchBox";
import { Stage } from "./Stage";
import { useDrawing } from "./useDrawing";

const MOST_HIDDEN_IN_ADDRESS = 200; // ids; servers and proxies refuse addresses of more than about 8 kB

/** The graph from any node: expanded, narrowed, followed from one node to another, and taken elsewhere. */
export function GraphPage() {
  const { t } = useTranslation();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const [search, setSearch] = useAddress();
  const graph = useMemo(() => readGraph(search), [search]);
  const { drawing, phase, reason, isTruncated, hasNoWay, reload } = useDrawing(workspaceId, graph);
  const [alsoHidden, setAlsoHidden] = useState<readonly string[]>([]); // until the page is left
  const hiddenIds = useMemo(() => [...graph.hiddenIds, ...alsoHidden], [graph, alsoHidden]);
  const shown = useMemo(() => narrowed(drawing, { ...graph, hiddenIds }), [drawing, graph, hiddenIds]);
  const days = useMemo(() => daysOf(drawing), [drawing]);
  const [isOpening, setOpening] = useState(false);
  const put = (part: Partial<GraphAddress>, replace = true) =>
    setSearch((now) => writeGraph({ ...readGraph(now), ...part }, now), { replace });
  const select = (id: string | null) => put({ selected: id });
  const expand = (id: string, type: string | null = null) =>
    put({ expansions: expanded(graph.expansions, id, type), selected: id }, false);
  const hide = (ids: readonly string[]) => {
    if (graph.hiddenIds.length + ids.length > MOST_HIDDEN_IN_ADDRESS) setAlsoHidden([...alsoHidden, ...ids]);
    else put({ hiddenIds: [...graph.hiddenIds, ...ids], selected: null });
  };

  const isOverview = graph.expansions.length + graph.ways.length === 0;
  const selected = graph.selected === null ? undefined : shown.nodes.get(graph.selected);

  return (
    <Page
      title={t("graph.title")}
      description={t("graph.description")}
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
          <Stage
            drawing={shown}
            selected={graph.selected}
            isOverview={isOverview}
            hiddenCount={hiddenIds.length}
            remarks={[
              ...(isTruncated ? [t("graph.truncated")] : []),
              ...(hasNoWay ? [t("graph.noWay")] : []),
            ]}
            onSelect={select}
            onExpand={expand}
            onHide={hide}
            onShowHidden={() => {
              setAlsoHidden([]);
              put({ hiddenIds: [] });
            }}
            onReset={() => {
              setAlsoHidden([]);
              setSearch((now) => writeGraph(readGraph(new URLSearchParams()), now));
            }}
            onOpenInBrowser={() => setOpening(true)}
          />
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
                onHide={() => hide([selected.id])}
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
