import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link2, Pencil, Unlink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { AssociateDocument, DissociateDocument, type MemoryQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { ForWriters } from "../shell/ForWriters";
import { IconButton } from "../shell/IconButton";
import { useNotices } from "../shell/useNotices";
import classes from "./memories.module.css";
import { Relate } from "./Relate";

type Memory = NonNullable<MemoryQuery["memory"]>;
export type Relation = Memory["associations"][number];

interface AssociationsProps {
  readonly memory: Memory;
  readonly onOpen: (id: string) => void;
  readonly onChanged: () => void;
}

/** The memories that one is related to; relations are drawn, made stronger or weaker, and removed. */
export function Associations({ memory, onOpen, onChanged }: AssociationsProps) {
  const { t } = useTranslation();
  const { percent } = useFormats();
  const { say, dataOf } = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [edited, setEdited] = useState<Relation | "new" | null>(null);

  const draw = async ({ type, fromId, toId, strength }: Relation) => {
    const input = { type, fromId, toId, strength };
    await dataOf(client.mutation(AssociateDocument, { workspaceId, input }), t("relating.notSaved"));
    onChanged();
  };
  const remove = async (relation: Relation) => {
    const work = client.mutation(DissociateDocument, { workspaceId, id: relation.id });
    const done = await dataOf(work, t("relating.notRemoved"));
    if (done !== undefined) say(t("relating.removed"), () => void draw(relation));
    onChanged();
  };

  return (
    <Stack gap={6}>
      {memory.associations.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("relating.none")}
        </Text>
      )}
      {memory.associations.map((each) => {
        const content = each.other?.content ?? each.otherId;
        const type = t(`association.${each.type}`);
        return (
          <div key={each.id} className={classes.relation}>
            <div>
              <Text size="xs" c="dimmed">
                {t(each.direction === "IN" ? "relating.incoming" : "relating.outgoing", { type })}
                {" · "}
                {percent(each.strength)}
              </Text>
              <Anchor
                component="button"
                type="button"
                size="sm"
                c="inherit"
                ta="left"
                lineClamp={2}
                onClick={() => onOpen(each.otherId)}
              >
                {content}
              </Anchor>
            </div>
            <ForWriters>
              <IconButton
                icon={Pencil}
                label={t("relating.edit", { content })}
                onClick={() => setEdited(each)}
              />
              <IconButton
                icon={Unlink}
                label={t("relating.remove", { content })}
                onClick={() => void remove(each)}
              />
            </ForWriters>
          </div>
        );
      })}
      <Group>
        <ForWriters>
          <Button
            variant="default"
            leftSection={<Link2 size={15} aria-hidden />}
            onClick={() => setEdited("new")}
          >
            {t("relating.add")}
          </Button>
        </ForWriters>
      </Group>
      <Relate memory={memory} relation={edited} onClose={() => setEdited(null)} onSaved={onChanged} />
    </Stack>
  );
}
