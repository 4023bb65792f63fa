import { Group, Text, UnstyledButton } from "@mantine/core";
import { Bot } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ActionsOfRunDocument, RunsDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { SearchField, useSought } from "../shell/SearchField";
import { SideDrawer } from "../shell/SideDrawer";
import { PagedTable } from "../shell/Table";
import classes from "../shell/table.module.css";
import { useAddress } from "../shell/useAddress";
import { usePages } from "../shell/usePages";
import { ActionTable } from "./ActionTable";
import { OutcomeMark } from "./OutcomeMark";
import { OutcomeSelect, outcomeOf } from "./OutcomeSelect";

const OPEN = "run";
const OUTCOME = "outcome";

/** The runs of agents: found by what they tried, with their actions one click away. */
export function Runs() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const outcome = outcomeOf(search.get(OUTCOME));
  const sought = useSought();
  const { query } = sought;
  const pages = usePages(
    RunsDocument,
    { workspaceId, query: query === "" ? null : query, filter: { outcome } },
    (data) => data.sequences,
  );
  const openId = search.get(OPEN);
  return (
    <>
      <Group gap="xs" mb="md">
        <SearchField flex="1 1 220px" label={t("agents.searchRuns")} sought={sought} />
        <OutcomeSelect value={outcome} onChange={(next) => put({ [OUTCOME]: next?.toLowerCase() ?? null })} />
      </Group>
      <PagedTable
        pages={pages}
        empty={<Empty icon={Bot} title={t("agents.noRuns")} text={t("agents.noRunsText")} />}
        columns={[
          {
            name: t("nodeKind.AGENT_SEQUENCE"),
            cell: (run) => (
              <>
                <UnstyledButton className={classes.link} onClick={() => put({ [OPEN]: run.id })}>
                  {run.intentSummary || run.sessionId}
                </UnstyledButton>
                <Text size="xs" c="dimmed">
                  {[run.agentId, run.sessionId].filter(Boolean).join(" · ")}
                </Text>
              </>
            ),
          },
          { name: t("knowledge.outcome"), cell: (run) => <OutcomeMark outcome={run.outcome} /> },
          {
            name: t("agents.actions"),
            kind: "number",
            isWide: true,
            cell: (run) => number(run.actionCount),
          },
          {
            name: t("agents.ended"),
            kind: "quiet",
            isWide: true,
            cell: (run) => (run.endedAt ? ago(run.endedAt) : "–"),
          },
        ]}
      />
      <SideDrawer
        opened={openId !== null}
        onClose={() => put({ [OPEN]: null })}
        size={620}
        title={pages.rows.find((run) => run.id === openId)?.sessionId ?? t("nodeKind.AGENT_SEQUENCE")}
      >
        {openId !== null && <ActionsOfRun id={openId} />}
      </SideDrawer>
    </>
  );
}

function ActionsOfRun({ id }: { readonly id: string }) {
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(ActionsOfRunDocument, { workspaceId, id }, (data) => data.actions);
  return <ActionTable pages={pages} />;
}
