import { Button, Text } from "@mantine/core";
import { Waypoints } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { GraphBegunDocument } from "../../generated/operations";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Failure } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import { Page } from "../shell/Page";
import { expanded } from "./address";
import { AsOf } from "./AsOf";
import { daysOf } from "./drawing";
import classes from "./graph.module.css";
import { Legend } from "./Legend";
import { NodeList } from "./NodeList";
import { NodePanel } from "./NodePanel";
import { OpenInBrowser } from "./OpenInBrowser";
import { SearchBox } from "./SearchBox";
import { Stage } from "./Stage";
import { useDrawing } from "./useDrawing";
import { useGraphAddress } from "./useGraphAddress";
import { useShown } from "./useShown";

/** The graph from any node: expanded, narrowed, followed from one node to another, and taken elsewhere. */
export function GraphPage() {
  const { t } = useTranslation();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const { graph, put, reset } = useGraphAddress();
  const { drawing, phase, reason, isTruncated, hasNoWay, isOfNewest, reload } = useDrawing(
    workspaceId,
    graph,
  );
  const [{ data: begun }] = useQuery({ query: GraphBegunDocument, variables: { workspaceId } });
  const shown = useShown(drawing, graph);
  const days = useMemo(
    () => daysOf(drawing, begun?.workspace?.createdAt ?? null, new Date().toISOString()),
    [drawing, begun],
  );
  const [isOpening, setOpening] = useState(false);
  const select = (id: string | null) => put({ selected: id });
  const expand = (id: string, type: string | null = null) =>
    put({ expansions: expanded(graph.expansions, id, type), selected: id }, false);
  const hide = (id: string) =>
    put((now) => ({ hiddenIds: [...new Set([...now.hiddenIds, id])], selected: null }));

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
          <Failure reason={reason} onRetry={reload} />
          {!isOverview && (
            <Text ta="center" pb="lg" size="sm">
              <Link to={link("/graph")}>{t("graph.overview")}</Link>
            </Text>
          )}
        </div>
      ) : phase === "loading" ? (
        <Loading height={520} />
      ) : drawing.nodes.size === 0 && graph.asOf === "" ? (
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
            hiddenCount={graph.hiddenIds.length}
            remarks={[
              ...(isTruncated ? [t("graph.truncated")] : []),
              ...(hasNoWay ? [t("graph.noWay")] : []),
              ...(isOfNewest ? [t("graph.ofNewest")] : []),
            ]}
            failure={
              phase === "failed"
                ? t("graph.notShown", { reason: reason ?? t("shell.unreachable") })
                : reason && t("graph.partlyShown", { reason })
            }
            onRetry={reload}
            onSelect={select}
            onExpand={expand}
            onShowHidden={() => put({ hiddenIds: [] })}
            onReset={reset}
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
                onHide={() => hide(selected.id)}
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
