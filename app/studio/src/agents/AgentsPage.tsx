import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Page } from "../shell/Page";
import { useTab } from "../shell/useTab";
import { Actions } from "./Actions";
import { Metrics } from "./Metrics";
import { Outcomes } from "./Outcomes";
import { Patterns } from "./Patterns";
import { Runs } from "./Runs";

const TABS = ["runs", "actions", "patterns", "outcomes", "metrics"] as const;
const PANELS = { runs: Runs, actions: Actions, patterns: Patterns, outcomes: Outcomes, metrics: Metrics };

/** What agents did, how it ended, and what is learnt from that. */
export function AgentsPage() {
  const { t } = useTranslation();
  const [tab, show] = useTab(TABS);
  const Panel = PANELS[tab];
  return (
    <Page title={t("agents.title")} description={t("agents.description")} width={1080}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`agents.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Panel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
