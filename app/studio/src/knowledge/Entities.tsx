import { Group, Select, Text, UnstyledButton } from "@mantine/core";
import { Shapes } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { EntitiesDocument, OntologyDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { SearchField, useSought } from "../shell/SearchField";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { useAddress } from "../shell/useAddress";
import { usePages } from "../shell/usePages";
import { EntityDrawer } from "./EntityDrawer";

const TYPE = "type";
const OPEN = "entity";

/** The things a workspace knows of, found by name and type. */
export function Entities() {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const sought = useSought();
  const name = sought.query;
  const type = search.get(TYPE);
  const [{ data: known }] = useQuery({ query: OntologyDocument, variables: { workspaceId } });
  const filter = { types: type === null ? [] : [type], ...(name !== "" && { name }) };
  const pages = usePages(EntitiesDocument, { workspaceId, filter }, (data) => data.entities);
  const isNarrowed = type !== null || name !== "";
  return (
    <>
      <Group gap="xs" mb="md">
        <SearchField flex="1 1 220px" label={t("knowledge.searchEntities")} sought={sought} />
        <Select
          aria-label={t("memories.type")}
          placeholder={t("memories.allTypes")}
          data={known?.ontology.entityTypes.map((each) => each.name) ?? (type === null ? [] : [type])}
          value={type}
          onChange={(value) => put({ [TYPE]: value })}
          searchable
          clearable
        />
      </Group>
      <PagedTable
        pages={pages}
        empty={
          <Empty
            icon={Shapes}
            title={isNarrowed ? t("knowledge.noneMatch") : t("knowledge.noEntities")}
            text={isNarrowed ? t("memories.noneMatchText") : t("knowledge.noEntitiesText")}
          />
        }
        columns={[
          {
            name: t("keys.name"),
            cell: (row) => (
              <>
                <UnstyledButton className={classes.link} onClick={() => put({ [OPEN]: row.id })}>
                  {row.name}
                </UnstyledButton>
                <Text size="xs" c="dimmed">
                  {row.description ?? row.aliases.join(", ")}
                </Text>
              </>
            ),
          },
          { name: t("memories.type"), cell: (row) => row.type },
          { name: t("memories.updated"), kind: "quiet", isWide: true, cell: (row) => ago(row.updatedAt) },
        ]}
      />
      <EntityDrawer
        id={search.get(OPEN)}
        onClose={() => put({ [OPEN]: null })}
        onOpen={(id) => put({ [OPEN]: id })}
        onChanged={pages.reload}
      />
    </>
  );
}
