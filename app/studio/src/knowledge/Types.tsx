import { Badge, Button, Code, Collapse, Group, Text, Title, UnstyledButton } from "@mantine/core";
import { Download, Shapes, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useClient, useQuery } from "urql";
import { OntologyDocument, OntologyFileDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { offerFile } from "../shell/offerFile";
import { Table } from "../shell/Table";
import classes from "../shell/table.module.css";
import { useNotices } from "../shell/useNotices";
import { ImportOntology } from "./ImportOntology";
import { hasSchema } from "./schema";

/** The types of things and of relations, with how many there are of each and what they ask of them. */
export function Types() {
  const { t } = useTranslation();
  const client = useClient();
  const { refuse } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [known, ask] = useQuery({ query: OntologyDocument, variables: { workspaceId } });
  const [isImporting, setImporting] = useState(false);
  const reload = () => ask({ requestPolicy: "network-only" });
  const take = async () => {
    const answer = await client.query(
      OntologyFileDocument,
      { workspaceId },
      { requestPolicy: "network-only" },
    );
    if (answer.data === undefined) {
      refuse(reasonOf(answer.error));
      return;
    }
    offerFile("ontology.json", answer.data.exportOntology.content);
  };

  return (
    <Loaded answer={known} data={known.data?.ontology} height={320} onRetry={reload}>
      {({ entityTypes, relationTypes, isStrict }) => (
        <>
          <Group justify="space-between" mb="md">
            <Text size="sm" c="dimmed" flex="1 1 240px">
              {isStrict ? t("knowledge.strict") : t("knowledge.open")}
            </Text>
            <Group gap="xs">
              <Button
                variant="default"
                leftSection={<Download size={15} aria-hidden />}
                onClick={() => void take()}
              >
                {t("knowledge.export")}
              </Button>
              <ForWriters>
                <Button leftSection={<Upload size={15} aria-hidden />} onClick={() => setImporting(true)}>
                  {t("knowledge.import")}
                </Button>
              </ForWriters>
            </Group>
          </Group>
          {entityTypes.length + relationTypes.length === 0 ? (
            <div className="card">
              <Empty icon={Shapes} title={t("knowledge.noTypes")} text={t("knowledge.noTypesText")} />
            </div>
          ) : (
            <>
              <TypeTable
                title={t("knowledge.entityTypes")}
                rows={entityTypes.map((each) => ({
                  ...each,
                  about: each.parent ? `⊂ ${each.parent}` : null,
                }))}
                isLinked
              />
              <TypeTable
                title={t("knowledge.relationTypes")}
                rows={relationTypes.map((each) => ({
                  ...each,
                  about:
                    each.fromTypes.length + each.toTypes.length === 0
                      ? null
                      : `${each.fromTypes.join(", ") || "…"} → ${each.toTypes.join(", ") || "…"}`,
                }))}
              />
            </>
          )}
          <ImportOntology opened={isImporting} onClose={() => setImporting(false)} onDone={reload} />
        </>
      )}
    </Loaded>
  );
}

interface TypeRow {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly about: string | null;
  readonly properties: unknown;
  readonly count: number;
}

function TypeTable({
  title,
  rows,
  isLinked = false,
}: {
  readonly title: string;
  readonly rows: readonly TypeRow[];
  readonly isLinked?: boolean;
}) {
  const { t } = useTranslation();
  const { number } = useFormats();
  if (rows.length === 0) return null;
  return (
    <section aria-label={title} className="card" style={{ marginBottom: 16, overflow: "hidden" }}>
      <Title order={2} size="h6" px="md" pt="sm">
        {title}
      </Title>
      <Table
        rows={rows}
        columns={[
          { name: t("keys.name"), cell: (row) => <TypeName row={row} isLinked={isLinked} /> },
          {
            name: t("knowledge.schema"),
            isWide: true,
            cell: (row) => <Schema properties={row.properties} />,
          },
          { name: t("knowledge.count"), kind: "number", cell: (row) => number(row.count) },
        ]}
      />
    </section>
  );
}

function TypeName({ row, isLinked }: { readonly row: TypeRow; readonly isLinked: boolean }) {
  const link = useLinks();
  return (
    <>
      <Group gap={8}>
        {isLinked ? (
          <Link className={classes.link} to={link("/knowledge", { tab: "entities", type: row.name })}>
            {row.name}
          </Link>
        ) : (
          <Text span size="sm" fw={500}>
            {row.name}
          </Text>
        )}
        {row.about !== null && (
          <Badge variant="default" tt="none" size="sm">
            {row.about}
          </Badge>
        )}
      </Group>
      {row.description && (
        <Text size="xs" c="dimmed">
          {row.description}
        </Text>
      )}
    </>
  );
}

function Schema({ properties }: Pick<TypeRow, "properties">) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (!hasSchema(properties))
    return (
      <Text span size="sm" c="dimmed">
        {t("knowledge.anything")}
      </Text>
    );
  return (
    <>
      <UnstyledButton className={classes.link} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Text span size="sm">
          {isOpen ? t("knowledge.hideSchema") : t("knowledge.showSchema")}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Code block mt={6}>
          {JSON.stringify(properties, null, 2)}
        </Code>
      </Collapse>
    </>
  );
}
