import { useTranslation } from "react-i18next";
import { TabbedPage } from "../shell/TabbedPage";
import { ChangeList } from "./ChangeList";
import { Inbox } from "./Inbox";

const TABS = ["inbox", "list"] as const;
const PANELS = { inbox: <Inbox />, list: <ChangeList /> };

/** What was changed automatically: facts that wait for a decision, and the list of changes, each to be undone. */
export function ChangesPage() {
  const { t } = useTranslation();
  return (
    <TabbedPage
      title={t("changes.title")}
      description={t("changes.description")}
      tabs={TABS}
      nameOf={(name) => t(`changes.${name}`)}
    >
      {(tab) => PANELS[tab]}
    </TabbedPage>
  );
}
