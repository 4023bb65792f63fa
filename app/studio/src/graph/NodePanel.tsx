import { Button, CloseButton, Group, Select, Stack, Text, Title } from "@mantine/core";
import { EyeOff, Spline } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { NodeEdgesDocument, type NodeEdgesQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import type { DrawnNode, Drawing } from "./drawing";
import classes from "./graph.module.css";
import { LOOKS, shortCaption } from "./style";

const MOST_NEIGHBOURS = 100; // the server counts no further
type Facts = NonNullable<NodeEdgesQuery["node"]>;

interface NodePanelProps {
  readonly node: DrawnNode;
  readonly drawing: Drawing;
  readonly onSelect: (id: string | null) => void;
  readonly onExpand: (type: string | null) => void;
  readonly onHide: () => void;
  readonly onWay: (to: string) => void;
}

/** Return how many edges of each type a node has, the most first. */
function edgeCounts(facts: Facts): [string, number][] {
  const counts = new Map<string, number>();
  for (const { edge } of facts.neighbours) counts.set(edge.type, (counts.get(edge.type) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

function textOf(facts: Facts): string | null {
  const texts = facts as Partial<
    Record<"content" | "description" | "excerpt" | "summary" | "outline" | "title" | "uri", string | null>
  >;
  return (
    texts.content ??
    texts.description ??
    texts.excerpt ??
    texts.summary ??
    texts.outline ??
    texts.title ??
    texts.uri ??
    null
  );
}

/** The node that is selected: what it is, how it is expanded, and ways from it to others. */
export function NodePanel({ node, drawing, onSelect, onExpand, onHide, onWay }: NodePanelProps) {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const link = useLinks();
  const [answer, ask] = useQuery({
    query: NodeEdgesDocument,
    variables: { id: node.globalId },
  });
  const facts = answer.data?.node;
  const counts = facts ? edgeCounts(facts) : [];
  const page = PAGES[node.kind];
  const others = [...drawing.nodes.values()].filter(({ id }) => id !== node.id);
  return (
    <section className={`card ${classes.panel}`} aria-label={t("graph.selected")}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="xs" c="dimmed" className={classes.node} p={0}>
          <i style={{ background: LOOKS[node.kind].color }} aria-hidden />
          {[t(`nodeKind.${node.kind}`), node.type].filter(Boolean).join(" · ")}
        </Text>
        <CloseButton size="sm" aria-label={t("graph.unselect")} onClick={() => onSelect(null)} />
      </Group>
      <Title order={2} size="h5" style={{ overflowWrap: "anywhere" }} lineClamp={4}>
        {node.caption}
      </Title>
      <Loaded
        answer={answer}
        data={facts}
        height={60}
        missing={null}
        onRetry={() => ask({ requestPolicy: "network-only" })}
      >
        {(known) =>
          textOf(known) !== null &&
          textOf(known) !== node.caption && (
            <Text size="sm" mt={6} lineClamp={8} style={{ overflowWrap: "anywhere" }}>
              {textOf(known)}
            </Text>
          )
        }
      </Loaded>
      <Text size="xs" c="dimmed" mt={6}>
        {node.since !== null && `${ago(node.since)} · `}
        <span className={classes.id}>{node.id}</span>
      </Text>
      <Stack gap="xs" mt="md">
        <Title order={3} size="h6" c="dimmed">
          {t("graph.expand")}
        </Title>
        <Group gap={6}>
          <Button
            size="compact-sm"
            onClick={() => onExpand(null)}
            disabled={facts !== undefined && counts.length === 0}
          >
            {t("graph.all")}
          </Button>
          {counts.map(([type, count]) => (
            <Button key={type} size="compact-sm" variant="default" onClick={() => onExpand(type)}>
              {type} {count === MOST_NEIGHBOURS ? `${count}+` : number(count)}
            </Button>
          ))}
        </Group>
        <Select
          label={t("graph.wayTo")}
          placeholder={t("graph.wayToHint")}
          leftSection={<Spline size={14} aria-hidden />}
          data={others.map(({ id, caption, kind }) => ({
            value: id,
            label: `${shortCaption(caption)} (${t(`nodeKind.${kind}`)})`,
          }))}
          limit={50}
          searchable
          value={null}
          onChange={(to) => {
            if (to !== null) onWay(to);
          }}
        />
        <Group gap={6} justify="space-between">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<EyeOff size={14} aria-hidden />}
            onClick={onHide}
          >
            {t("graph.hide")}
          </Button>
          {page !== undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              component={Link}
              to={link(page.path, page.search(node.id))}
            >
              {t("graph.open")}
            </Button>
          )}
        </Group>
      </Stack>
    </section>
  );
}

const PAGES: Partial<
  Record<DrawnNode["kind"], { path: string; search: (id: string) => Record<string, string> }>
> = {
  MEMORY: { path: "/memories", search: (id) => ({ memory: id }) },
};
