import { useTranslation } from "react-i18next";
import { Page } from "../shell/Page";
import { PageTabs } from "../shell/PageTabs";
import { useTab } from "../shell/useTab";
import { ChangeList } from "./ChangeList";
import { Inbox } from "./Inbox";

const TABS = ["inbox", "list"] as const;
const PANELS = { inbox: Inbox, list: ChangeList };

/** What was changed automatically: facts that wait for a decision, and the list of changes, each to be undone. */
export function ChangesPage() {
  const { t } = useTranslation();
  const [tab, show] = useTab(TABS);
  const Panel = PANELS[tab];
  return (
    <Page title={t("changes.title")} description={t("changes.description")}>
      <PageTabs tabs={TABS} shown={tab} nameOf={(name) => t(`changes.${name}`)} onShow={show}>
        <Panel />
      </PageTabs>
    </Page>
  );
}
