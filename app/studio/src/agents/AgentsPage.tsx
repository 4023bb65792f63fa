import { useTranslation } from "react-i18next";
import { TabbedPage } from "../shell/TabbedPage";
import { Actions } from "./Actions";
import { Metrics } from "./Metrics";
import { Outcomes } from "./Outcomes";
import { Patterns } from "./Patterns";
import { Runs } from "./Runs";

const TABS = ["runs", "actions", "patterns", "outcomes", "metrics"] as const;
const PANELS = {
  runs: <Runs />,
  actions: <Actions />,
  patterns: <Patterns />,
  outcomes: <Outcomes />,
  metrics: <Metrics />,
};

/** What agents did, how it ended, and what is learnt from that. */
export function AgentsPage() {
  const { t } = useTranslation();
  return (
    <TabbedPage
      title={t("agents.title")}
      description={t("agents.description")}
      tabs={TABS}
      nameOf={(name) => t(`agents.${name}`)}
    >
      {(tab) => PANELS[tab]}
    </TabbedPage>
  );
}
