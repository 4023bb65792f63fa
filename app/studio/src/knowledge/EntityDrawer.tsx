import { Anchor, Badge, Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMutation, useQuery } from "urql";
import {
  EntityDocument,
  type EntityQuery,
  MergeEntitiesDocument,
  SimilarEntitiesDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Confirm } from "../shell/Confirm";
import { ForWriters } from "../shell/ForWriters";
import { SideDrawer } from "../shell/SideDrawer";
import { useNotices } from "../shell/useNotices";
import { hasSchema } from "./schema";
import { PartList } from "./PartList";
import { MOST, partOf } from "./partOf";

const FEW_RELATIONS = 50;
const FEW_MENTIONS = 20;

type FullEntity = NonNullable<EntityQuery["entity"]>;

interface EntityDrawerProps {
  readonly id: string | null;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onChanged: () => void;
}

/** All there is to know of one thing, and which others may be the same. */
export function EntityDrawer({ id, onClose, onOpen, onChanged }: EntityDrawerProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [wholeId, setWholeId] = useState<string | null>(null);
  const isWhole = wholeId === id;
  const [answer, ask] = useQuery({
    query: EntityDocument,
    variables: {
      workspaceId,
      id: id ?? "",
      relations: isWhole ? MOST : FEW_RELATIONS + 1,
      mentions: isWhole ? MOST : FEW_MENTIONS + 1,
    },
    pause: id === null,
  });
  const entity = answer.data?.entity?.id === id ? answer.data.entity : undefined;
  return (
    <SideDrawer opened={id !== null} onClose={onClose} title={t("nodeKind.ENTITY")}>
      <Loaded
        answer={answer}
        data={entity}
        height={200}
        missing={<Text c="dimmed">{t("knowledge.gone")}</Text>}
        onRetry={() => ask()}
      >
        {(shown) => (
          <Details
            key={shown.id}
            entity={shown}
            isWhole={isWhole && !answer.fetching}
            isLoading={answer.fetching}
            onMore={() => setWholeId(id)}
            onOpen={onOpen}
            onMerged={() => {
              ask({ requestPolicy: "network-only" });
              onChanged();
            }}
          />
        )}
      </Loaded>
    </SideDrawer>
  );
}

interface DetailsProps {
  readonly entity: FullEntity;
  readonly isWhole: boolean; // its relations and mentions, as far as the server lists them
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onOpen: (id: string) => void;
  readonly onMerged: () => void;
}

function Details({ entity, isWhole, isLoading, onMore, onOpen, onMerged }: DetailsProps) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const link = useLinks();
  return (
    <Stack gap="lg">
      <div>
        <Title order={3}>{entity.name}</Title>
        <Group gap={6} mt={4}>
          <Badge variant="default" tt="none">
            {entity.type}
          </Badge>
          {entity.aliases.map((alias) => (
            <Badge key={alias} variant="light" tt="none">
              {alias}
            </Badge>
          ))}
        </Group>
        {entity.description && (
          <Text size="sm" mt="sm">
            {entity.description}
          </Text>
        )}
        <Text size="xs" c="dimmed" mt={6} style={{ overflowWrap: "anywhere" }}>
          {date(entity.createdAt)} · {entity.key}
        </Text>
        {hasSchema(entity.properties) && (
          <Code block mt="sm">
            {JSON.stringify(entity.properties, null, 2)}
          </Code>
        )}
        <Button
          component={Link}
          to={link("/graph", { from: entity.id, node: entity.id })}
          variant="default"
          size="compact-sm"
          mt="sm"
        >
          {t("knowledge.inGraph")}
        </Button>
      </div>
      <PartList
        title={t("knowledge.relations")}
        part={partOf(entity.relations, FEW_RELATIONS, isWhole)}
        isLoading={isLoading}
        onMore={onMore}
      >
        {(relation) => {
          const isFrom = relation.fromId === entity.id;
          const other = isFrom ? relation.to : relation.from;
          return (
            <Group key={relation.id} gap={6}>
              <Text size="xs" c="dimmed">
                {isFrom ? `${relation.type} →` : `← ${relation.type}`}
              </Text>
              <Button
                size="compact-sm"
                variant="subtle"
                disabled={!other}
                onClick={() => {
                  if (other) onOpen(other.id);
                }}
              >
                {other?.name ?? "–"}
              </Button>
            </Group>
          );
        }}
      </PartList>
      <PartList
        title={t("knowledge.mentions")}
        part={partOf(entity.mentions, FEW_MENTIONS, isWhole)}
        isLoading={isLoading}
        onMore={onMore}
      >
        {({ memoryId, memory }) => (
          <Anchor
            key={memoryId}
            size="sm"
            display="block"
            mb={4}
            component={Link}
            to={link("/memories", { memory: memoryId })}
          >
            {memory?.content ?? memoryId}
          </Anchor>
        )}
      </PartList>
      <Similar entity={entity} onMerged={onMerged} />
    </Stack>
  );
}

function Similar({ entity, onMerged }: { readonly entity: FullEntity; readonly onMerged: () => void }) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ data }] = useQuery({
    query: SimilarEntitiesDocument,
    variables: { workspaceId, id: entity.id },
    requestPolicy: "network-only",
  });
  const [, merge] = useMutation(MergeEntitiesDocument);
  const [duplicate, setDuplicate] = useState<{ id: string; name: string } | null>(null);
  const [gone, setGone] = useState<readonly string[]>([]);
  const others = (data?.alikeEntities ?? [])
    .map((pair) => pair.duplicate)
    .filter(({ id }) => !gone.includes(id));
  const confirm = async () => {
    if (duplicate === null) return;
    setDuplicate(null);
    const done = await dataOf(merge({ workspaceId, from: duplicate.id, into: entity.id }));
    if (done === undefined) return;
    setGone([...gone, duplicate.id]);
    say(t("knowledge.merged", { from: duplicate.name, into: entity.name }));
    onMerged();
  };
  if (others.length === 0) return null;
  return (
    <section aria-label={t("knowledge.similar")}>
      <Title order={4} size="h6" c="dimmed" mb={2}>
        {t("knowledge.similar")}
      </Title>
      <Text size="xs" c="dimmed" mb={6}>
        {t("knowledge.similarText")}
      </Text>
      {others.map((other) => (
        <Group key={other.id} justify="space-between" py={4} wrap="nowrap">
          <Text size="sm">{other.name}</Text>
          <ForWriters>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t("knowledge.mergeNamed", { from: other.name })}
              onClick={() => setDuplicate(other)}
            >
              {t("knowledge.merge")}
            </Button>
          </ForWriters>
        </Group>
      ))}
      <Confirm
        opened={duplicate !== null}
        title={t("knowledge.mergeTitle", { from: duplicate?.name, into: entity.name })}
        action={t("knowledge.merge")}
        onClose={() => setDuplicate(null)}
        onConfirm={() => void confirm()}
      >
        <Text size="sm">{t("knowledge.mergeText")}</Text>
      </Confirm>
    </section>
  );
}
