import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  type DecisionsQuery,
  MergeEntitiesDocument,
  UnmergeEntitiesDocument,
} from "../../generated/operations";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { RowButton } from "../shell/RowButton";
import { useNotices } from "../shell/useNotices";
import { Compare, WaitingLine } from "./WaitingLine";

interface AlikeLineProps {
  readonly pair: DecisionsQuery["alikeEntities"][number];
  readonly onDone: () => void;
}

/** Two entities that may be one: merged, which can be undone, or looked at. */
export function AlikeLine({ pair: { entity, duplicate }, onDone }: AlikeLineProps) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const link = useLinks();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, merge] = useMutation(MergeEntitiesDocument);
  const [, unmerge] = useMutation(UnmergeEntitiesDocument);
  const names = { duplicate: duplicate.name, entity: entity.name };
  const mergeThem = async () => {
    const done = await dataOf(merge({ workspaceId, from: duplicate.id, into: entity.id }));
    if (done === undefined) return;
    const { id } = done.mergeEntities;
    say(t("home.mergedInto", names), () => void dataOf(unmerge({ workspaceId, id })).then(onDone));
    onDone();
  };
  return (
    <WaitingLine text={t("home.alike", names)} why={entity.type}>
      <RowButton isBusy={fetching} onClick={() => void mergeThem()}>
        {t("home.merge")}
      </RowButton>
      <Compare to={link("/knowledge", { tab: "entities", entity: entity.id })} />
    </WaitingLine>
  );
}
