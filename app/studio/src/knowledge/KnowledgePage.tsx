import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Page } from "../shell/Page";
import { useTab } from "../shell/useTab";
import { AskPanel } from "./AskPanel";
import { Connections } from "./Connections";
import { Documents } from "./Documents";
import { Entities } from "./Entities";
import { Merges } from "./Merges";
import { Types } from "./Types";

const TABS = ["types", "entities", "duplicates", "documents", "connections", "ask"] as const;
const PANELS = {
  types: Types,
  entities: Entities,
  duplicates: Merges,
  documents: Documents,
  connections: Connections,
  ask: AskPanel,
};

/** What a workspace knows beside its memories: things and their types, documents, and where they came from. */
export function KnowledgePage() {
  const { t } = useTranslation();
  const [tab, show] = useTab(TABS);
  const Panel = PANELS[tab];
  return (
    <Page title={t("knowledge.title")} description={t("knowledge.description")} width={1080}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`knowledge.${name}`)}
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
