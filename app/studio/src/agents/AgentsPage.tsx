import { useTranslation } from "react-i18next";
import { Page } from "../shell/Page";
import { PageTabs } from "../shell/PageTabs";
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
    <Page title={t("agents.title")} description={t("agents.description")}>
      <PageTabs tabs={TABS} shown={tab} nameOf={(name) => t(`agents.${name}`)} onShow={show}>
        <Panel />
      </PageTabs>
    </Page>
  );
}
