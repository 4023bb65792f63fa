import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CombinedError } from "urql";
import type { DecisionsQuery, HomeQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { Empty } from "../shell/Empty";
import { FailureLine } from "../shell/Failure";
import { AlikeLine } from "./AlikeLine";
import { ContradictionLine } from "./ContradictionLine";
import { JobLine } from "./JobLine";
import { Panel } from "./Panel";
import { SuggestionLine } from "./SuggestionLine";
import { mattersOf } from "./waitingMatters";

interface WaitingProps {
  readonly home: HomeQuery;
  readonly decisions: DecisionsQuery | undefined; // undefined: not known
  readonly error: CombinedError | undefined; // why no newer decisions are known
  readonly onDone: () => void;
}

/** What only a person can decide: contradictions, duplicates, deletions that a conversation suggests, failed work. */
export function Waiting({ home, decisions, error, onDone }: WaitingProps) {
  const { t } = useTranslation();
  const { counted } = useFormats();
  const { contradictions, alikeEntities, suggestions, jobs, count, isMore } = mattersOf(home, decisions);
  return (
    <Panel title={t("home.waiting")} aside={decisions !== undefined && counted(count, isMore)}>
      {error !== undefined && <FailureLine reason={reasonOf(error)} onRetry={onDone} />}
      {count === 0 && !isMore && (
        <Empty icon={CircleCheck} title={t("home.nothingWaits")} text={t("home.nothingWaitsText")} />
      )}
      {contradictions.map((pair) => (
        <ContradictionLine key={pair.newer.id + pair.older.id} pair={pair} onDone={onDone} />
      ))}
      {alikeEntities.map((pair) => (
        <AlikeLine key={pair.entity.id + pair.duplicate.id} pair={pair} onDone={onDone} />
      ))}
      {suggestions.map((suggestion) => (
        <SuggestionLine key={suggestion.memoryId} suggestion={suggestion} onDone={onDone} />
      ))}
      {jobs.map((job) => (
        <JobLine key={job.id} job={job} onDone={onDone} />
      ))}
    </Panel>
  );
}
