import { Group, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionsDocument } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { useSought } from "../shell/SearchField";
import { useAddress } from "../shell/useAddress";
import { usePages } from "../shell/usePages";
import { ActionTable } from "./ActionTable";
import { OutcomeSelect, outcomeOf } from "./OutcomeSelect";
import { Trend } from "./Trend";

const OUTCOME = "outcome";
const RATES = { SUCCESS: "success_rate", ERROR: "error_rate", DEAD_END: "dead_end_rate" } as const;

/** What agents did, by how it ended, with the share of that over the last days. */
export function Actions() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const outcome = outcomeOf(search.get(OUTCOME));
  const sought = useSought();
  const actionType = sought.query;
  const filter = { outcome, ...(actionType !== "" && { actionType }) };
  const pages = usePages(ActionsDocument, { workspaceId, filter }, (data) => data.actions);
  return (
    <>
      <Trend metric={RATES[outcome ?? "SUCCESS"]} days={30} />
      <Group gap="xs" my="md">
        <OutcomeSelect value={outcome} onChange={(next) => put({ [OUTCOME]: next?.toLowerCase() ?? null })} />
        <TextInput
          aria-label={t("agents.actionType")}
          placeholder={t("agents.actionType")}
          value={sought.text}
          onChange={(event) => sought.setText(event.currentTarget.value)}
        />
      </Group>
      <ActionTable pages={pages} />
    </>
  );
}
