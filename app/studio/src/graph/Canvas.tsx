import { useComputedColorScheme } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { MultiDirectedGraph } from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import { type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import Sigma from "sigma";
import { drawDiscNodeHover } from "sigma/rendering";
import { animateNodes } from "sigma/utils";
import type { Drawing } from "./drawing";
import { shiftWhereSlow } from "./shifting";
import { edgeColour, LOOKS, shortCaption } from "./style";

const ROUNDS = 200; // of the layout, after which a few hundred nodes stand still
const LARGE = 1500; // nodes, from which the layout is made in fewer rounds
const ROUNDS_OF_LARGE = 40;
const MOVE_MS = 350;
const PER_PIXEL = 0.14; // of the diameters of Neo4j Browser, whose nodes are larger
const MOST_LABELLED_EDGES = 40;
const NARROW_PX = 600;
const SMALLER = 0.75; // are nodes on narrow screens
const SMALLEST = 0.35; // are those of large drawings, which would hide each other
const MOST_LARGER = 0.6; // is the hub of most edges
const LIKE_MOST_EDGES = 64;

/** What a page may do to the canvas beside giving it a drawing. */
export interface CanvasHandle {
  readonly exportPng: (name: string) => Promise<void>;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
}

interface CanvasProps {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly label: string;
  readonly handle: RefObject<CanvasHandle | null>;
  readonly onSelect: (id: string | null) => void;
  readonly onExpand: (id: string) => void;
}

/** The drawing itself, by sigma.js: dragged, zoomed, clicked to select, double-clicked to expand. */
export default function Canvas(props: CanvasProps) {
  const { drawing, selected, label, handle, onSelect, onExpand } = props;
  const frame = useRef<HTMLDivElement>(null);
  const graph = useRef(new MultiDirectedGraph());
  const renderer = useRef<Sigma | null>(null);
  const isStill = useReducedMotion();
  const scheme = useComputedColorScheme("light");
  const acts = useRef({ onSelect, onExpand });
  const marked = useRef(selected);
  useEffect(() => {
    acts.current = { onSelect, onExpand };
  });

  useEffect(() => {
    if (frame.current === null) return undefined;
    const sigma = startSigma(graph.current, frame.current, marked);
    shiftWhereSlow(sigma, () => graph.current.order > LARGE);
    sigma.on("clickNode", ({ node }) => acts.current.onSelect(node));
    sigma.on("clickStage", () => acts.current.onSelect(null));
    sigma.on("doubleClickNode", (event) => {
      event.preventSigmaDefault();
      acts.current.onExpand(event.node);
    });
    renderer.current = sigma;
    return () => {
      renderer.current = null;
      sigma.kill();
    };
  }, []);

  useEffect(() => {
    place(graph.current, drawing);
    size(graph.current, drawing, frame.current?.clientWidth ?? 0);
    renderer.current?.setSetting("renderEdgeLabels", graph.current.size <= MOST_LABELLED_EDGES);
    if (graph.current.order < 2) {
      renderer.current?.refresh();
      return undefined;
    }
    const goal = forceAtlas2(graph.current, {
      iterations: graph.current.order > LARGE ? ROUNDS_OF_LARGE : ROUNDS,
      settings: { ...forceAtlas2.inferSettings(graph.current), strongGravityMode: true, gravity: 0.08 },
    });
    return animateNodes(graph.current, goal, { duration: isStill ? 0 : MOVE_MS });
  }, [drawing, isStill]);

  useEffect(() => {
    marked.current = selected;
    renderer.current?.refresh({ skipIndexation: true });
  }, [selected]);

  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const text = style.getPropertyValue("--mantine-color-text");
    renderer.current?.setSetting("labelColor", { color: text });
    renderer.current?.setSetting("edgeLabelColor", { color: scheme === "dark" ? "#b4b4c0" : "#5b5b68" });
  }, [scheme]);

  useImperativeHandle(handle, () => ({
    async exportPng(name) {
      if (renderer.current === null) return;
      const { downloadAsPNG } = await import("@sigma/export-image");
      const ground = scheme === "dark" ? "#17171c" : "#ffffff";
      await downloadAsPNG(renderer.current, { fileName: name, backgroundColor: ground });
    },
    fit: () => void renderer.current?.getCamera().animatedReset(),
    zoom: (factor) => void renderer.current?.getCamera().animatedZoom(factor),
  }));

  return <div ref={frame} role="img" aria-label={label} style={{ position: "absolute", inset: 0 }} />;
}

function startSigma(graph: MultiDirectedGraph, frame: HTMLElement, marked: RefObject<string | null>): Sigma {
  return new Sigma(graph, frame, {
    allowInvalidContainer: true,
    defaultEdgeType: "arrow",
    renderEdgeLabels: true,
    labelSize: 12,
    labelFont: "Inter, system-ui, sans-serif",
    edgeLabelSize: 9,
    edgeLabelFont: "Inter, system-ui, sans-serif",
    labelRenderedSizeThreshold: 4,
    labelDensity: 0.5,
    labelGridCellSize: 140,
    minCameraRatio: 0.05,
    maxCameraRatio: 8,
    stagePadding: Math.min(110, 20 + frame.clientWidth * 0.09), // room for what is written beside nodes
    zIndex: true,
    defaultDrawNodeHover: (context, data, settings) =>
      drawDiscNodeHover(context, data, { ...settings, labelColor: { color: "#1b1b21" } }),
    nodeReducer: (id, attributes) =>
      id === marked.current ? { ...attributes, highlighted: true, zIndex: 1 } : attributes,
    edgeReducer: (key, attributes) => {
      const selected = marked.current;
      const isBeside = selected === null || graph.extremities(key).includes(selected);
      return isBeside ? attributes : { ...attributes, label: "", size: 0.5 };
    },
  });
}

/** Bring the graph to what the drawing says; nodes that stay keep their places, new ones come beside a neighbour. */
function place(graph: MultiDirectedGraph, drawing: Drawing): void {
  graph.forEachNode((id) => {
    if (!drawing.nodes.has(id)) graph.dropNode(id);
  });
  graph.forEachEdge((key) => {
    if (!drawing.edges.has(key)) graph.dropEdge(key);
  });
  const beside = new Map(
    [...drawing.edges.values()].flatMap(({ fromId, toId }) => [
      [fromId, toId] as const,
      [toId, fromId] as const,
    ]),
  );
  let turn = 0;
  for (const { id, kind, caption } of drawing.nodes.values()) {
    if (graph.hasNode(id)) continue;
    const neighbour = beside.get(id);
    const isNear = neighbour !== undefined && graph.hasNode(neighbour);
    const [x, y] = isNear
      ? [graph.getNodeAttribute(neighbour, "x") as number, graph.getNodeAttribute(neighbour, "y") as number]
      : [0, 0];
    const angle = (turn += 2.4); // the golden angle: no two the same way
    const far = isNear ? 1 : 4 + turn / 4;
    graph.addNode(id, {
      x: x + far * Math.cos(angle),
      y: y + far * Math.sin(angle),
      color: LOOKS[kind].color,
      label: shortCaption(caption),
    });
  }
  for (const { key, type, fromId, toId } of drawing.edges.values())
    if (!graph.hasEdge(key))
      graph.addEdgeWithKey(key, fromId, toId, { label: type, color: edgeColour(type), size: 2 });
}

/** Draw nodes with many edges somewhat larger: what is written on them is written first. */
function size(graph: MultiDirectedGraph, drawing: Drawing, width: number): void {
  const usual = PER_PIXEL * (graph.order > LARGE ? SMALLEST : width < NARROW_PX ? SMALLER : 1);
  graph.updateEachNodeAttributes((id, attributes) => {
    const kind = drawing.nodes.get(id)?.kind ?? "ENTITY";
    const share = Math.min(1, Math.log1p(graph.degree(id)) / Math.log1p(LIKE_MOST_EDGES));
    return { ...attributes, size: LOOKS[kind].diameter * usual * (1 + MOST_LARGER * share) };
  });
}
