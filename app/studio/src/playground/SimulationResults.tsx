import { Text, Title } from "@mantine/core";
import { SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { SimulateDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Empty } from "../shell/Empty";
import { HitLine } from "./HitLine";
import classes from "./playground.module.css";
import { Resolution } from "./Resolution";
import {
  type Hit,
  isBelow,
  movements,
  type Recalled,
  type Setting,
  type Simulation,
  thresholdOf,
  toRecallInput,
} from "./simulation";

/** What was found under one setting, or under two beside each other. */
export function SimulationResults({ simulation }: { readonly simulation: Simulation }) {
  const { t } = useTranslation();
  const first = useSimulated(simulation, simulation.first);
  const second = useSimulated(simulation, simulation.second);
  const isCompared = simulation.second !== null;
  return (
    <div className={classes.results}>
      <Panel
        title={isCompared ? t("playground.settingA") : undefined}
        simulated={first}
        setting={simulation.first}
        simulation={simulation}
      />
      {simulation.second !== null && (
        <Panel
          title={t("playground.settingB")}
          simulated={second}
          setting={simulation.second}
          simulation={simulation}
          against={first.recalled?.hits}
        />
      )}
    </div>
  );
}

function useSimulated(simulation: Simulation, setting: Setting | null) {
  const workspaceId = useWorkspaceId() ?? null;
  const [{ data, error, fetching }, ask] = useQuery({
    query: SimulateDocument,
    variables: { workspaceId, input: setting === null ? {} : toRecallInput(simulation, setting) },
    requestPolicy: "network-only",
    pause: setting === null,
  });
  return { recalled: data?.recall, error, fetching, ask: () => ask() };
}

interface PanelProps {
  readonly title: string | undefined;
  readonly simulated: ReturnType<typeof useSimulated>;
  readonly setting: Setting;
  readonly simulation: Simulation;
  readonly against?: readonly Hit[] | undefined;
}

function Panel({ simulated, ...rest }: PanelProps) {
  const { t } = useTranslation();
  const { recalled, ask } = simulated;
  return (
    <section
      className={`card ${classes.panel}`}
      aria-label={rest.title ?? t("playground.hits")}
      aria-busy={recalled === undefined && simulated.fetching}
    >
      <Loaded answer={simulated} data={recalled} height={120} failed={t("playground.failed")} onRetry={ask}>
        {(found) => <Found recalled={found} {...rest} />}
      </Loaded>
    </section>
  );
}

interface FoundProps extends Omit<PanelProps, "simulated"> {
  readonly recalled: Recalled;
}

function Found({ title, recalled, setting, simulation, against }: FoundProps) {
  const { t } = useTranslation();
  const moved = against && movements(recalled.hits, against);
  const threshold = thresholdOf(simulation, recalled);
  const below = recalled.hits.filter((hit) => isBelow(hit, threshold)).length;
  const contents = new Map(recalled.hits.map(({ memory, promptText }) => [memory.id, promptText]));
  return (
    <>
      <div className={classes.panelHead}>
        {title !== undefined && (
          <Title order={2} size="h6" mb={8}>
            {title}
          </Title>
        )}
        <Resolution recalled={recalled} budget={setting.budget} />
      </div>
      {recalled.hits.length === 0 && (
        <Empty icon={SearchX} title={t("playground.nothing")} text={t("playground.nothingText")} />
      )}
      {below > 0 && below === recalled.hits.length && (
        <Text size="sm" fw={600} px="sm" pt="sm">
          {t("playground.weak")}
        </Text>
      )}
      {recalled.hits.map((hit, index) => (
        <HitLine
          key={hit.memory.id}
          hit={hit}
          rank={index + 1}
          moved={moved?.[index]}
          threshold={threshold}
          contents={contents}
        />
      ))}
      {below > 0 && (
        <Text size="xs" c="dimmed" p="sm">
          {t("playground.below", { count: below })}
        </Text>
      )}
    </>
  );
}
