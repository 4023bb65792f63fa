import { useTranslation } from "react-i18next";
import { TabbedPage } from "../shell/TabbedPage";
import { AskPanel } from "./AskPanel";
import { Connections } from "./Connections";
import { Documents } from "./Documents";
import { Entities } from "./Entities";
import { Merges } from "./Merges";
import { Types } from "./Types";

const TABS = ["types", "entities", "duplicates", "documents", "connections", "ask"] as const;
const PANELS = {
  types: <Types />,
  entities: <Entities />,
  duplicates: <Merges />,
  documents: <Documents />,
  connections: <Connections />,
  ask: <AskPanel />,
};

/** What a workspace knows beside its memories: things and their types, documents, and where they came from. */
export function KnowledgePage() {
  const { t } = useTranslation();
  return (
    <TabbedPage
      title={t("knowledge.title")}
      description={t("knowledge.description")}
      tabs={TABS}
      nameOf={(name) => t(`knowledge.${name}`)}
    >
      {(tab) => PANELS[tab]}
    </TabbedPage>
  );
}
