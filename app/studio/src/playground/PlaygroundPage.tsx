import { Tabs } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { WORKSPACE } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { InjectedContext } from "./InjectedContext";
import classes from "./playground.module.css";
import { readSimulation, type Simulation, writeSimulation } from "./simulation";
import { SimulationForm } from "./SimulationForm";
import { SimulationResults } from "./SimulationResults";

const VIEW = "view";
const KEPT = [WORKSPACE, VIEW];

/** What a question would find, and why, under one setting or two side by side; nothing of it is counted. */
export function PlaygroundPage() {
  const { t } = useTranslation();
  const { search, change, put } = useAddress();
  const simulation = useMemo(() => readSimulation(search), [search]);
  const simulate = (next: Simulation) =>
    change(
      (now) =>
        writeSimulation(
          next,
          [...now].filter(([name]) => KEPT.includes(name)),
        ),
      { replace: true },
    );

  return (
    <Page title={t("playground.title")} description={t("playground.description")}>
      <div className={classes.layout}>
        <SimulationForm simulation={simulation} onChange={simulate} />
        {simulation.query.trim() === "" ? (
          <div className="card">
            <Empty icon={FlaskConical} title={t("playground.empty")} text={t("playground.emptyText")} />
          </div>
        ) : (
          <Tabs
            value={search.get(VIEW) ?? "hits"}
            onChange={(view) => put({ [VIEW]: view ?? "hits" })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="hits">{t("playground.hits")}</Tabs.Tab>
              <Tabs.Tab value="context">{t("playground.context")}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="hits">
              <SimulationResults simulation={simulation} />
            </Tabs.Panel>
            <Tabs.Panel value="context">
              <InjectedContext query={simulation.query.trim()} budget={simulation.first.budget} />
            </Tabs.Panel>
          </Tabs>
        )}
      </div>
    </Page>
  );
}
