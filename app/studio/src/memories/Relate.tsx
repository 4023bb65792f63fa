import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation, useQuery } from "urql";
import { AssociateDocument, type AssociationType, MemoriesDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { NumberField } from "../shell/NumberField";
import { useNotices } from "../shell/useNotices";
import type { Relation } from "./Associations";
import classes from "./memories.module.css";

const TYPES: readonly AssociationType[] = [
  "RELATES_TO",
  "CONTRADICTS",
  "REINFORCES",
  "INVALIDATED_BY",
  "EVOLVED_INTO",
  "DERIVED_FROM",
  "LEADS_TO",
  "PREFERS_OVER",
  "OCCURRED_BEFORE",
  "EXEMPLIFIES",
  "PART_OF",
];
const SOON_MS = 300;
const MOST_FOUND = 10;
const USUAL_STRENGTH = 0.5;

interface Known {
  readonly id: string;
  readonly content: string;
}

interface RelateProps {
  readonly memory: Known;
  readonly relation: Relation | "new" | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The dialog that relates a memory to another, or says how strongly two are related. */
export function Relate({ memory, relation, onClose, onSaved }: RelateProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={relation !== null}
      onClose={onClose}
      title={t(relation === "new" ? "relating.title" : "relating.editTitle")}
    >
      {relation !== null && (
        <RelateForm memory={memory} relation={relation} onClose={onClose} onSaved={onSaved} />
      )}
    </Dialog>
  );
}

function RelateForm({ memory, relation, onClose, onSaved }: RelateProps & { relation: Relation | "new" }) {
  const { t } = useTranslation();
  const notices = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const known = relation === "new" ? undefined : relation;
  const [type, setType] = useState<AssociationType>(known?.type ?? "RELATES_TO");
  const [toId, setToId] = useState<string | null>(known?.toId ?? null);
  const [strength, setStrength] = useState(known?.strength ?? USUAL_STRENGTH);
  const [{ fetching, error }, associate] = useMutation(AssociateDocument);
  const save = async () => {
    if (toId === null) return;
    const input = { fromId: known?.fromId ?? memory.id, toId, type, strength };
    const { data } = await associate({ workspaceId, input });
    if (data === undefined) return;
    notices.say(t("relating.saved"));
    onSaved();
    onClose();
  };
  return (
    <DialogForm
      action={t("memories.save")}
      isBusy={fetching}
      isDisabled={toId === null}
      refusal={reasonOf(error)}
      onCancel={onClose}
      onSubmit={() => void save()}
    >
      <div>
        <Text size="xs" c="dimmed">
          {t("relating.thisMemory")}
        </Text>
        <Text className={classes.said} lineClamp={3}>
          {memory.content}
        </Text>
      </div>
      <Select
        label={t("relating.type")}
        data={TYPES.map((each) => ({ value: each, label: t(`association.${each}`) }))}
        value={type}
        onChange={(value) => setType(TYPES.find((each) => each === value) ?? type)}
        allowDeselect={false}
        disabled={known !== undefined}
      />
      {known === undefined ? (
        <MemorySearch without={memory.id} value={toId} onChange={setToId} />
      ) : (
        <Text className={classes.said} lineClamp={3}>
          {known.other?.content ?? known.otherId}
        </Text>
      )}
      <NumberField
        label={t("relating.strength")}
        value={strength}
        min={0}
        max={1}
        step={0.1}
        decimalScale={2}
        onChange={setStrength}
      />
    </DialogForm>
  );
}

interface MemorySearchProps {
  readonly without: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** A field that finds another memory by its words. */
function MemorySearch({ without, value, onChange }: MemorySearchProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Known>();
  const [asked] = useDebouncedValue(text, SOON_MS);
  const isChosen = chosen !== undefined && asked === chosen.content;
  const filter = asked.trim() === "" || isChosen ? {} : { text: asked.trim() };
  const [{ data }] = useQuery({
    query: MemoriesDocument,
    variables: { workspaceId, filter, first: MOST_FOUND, after: null, orderBy: null },
  });
  const found = (data?.memories.edges ?? []).map((edge) => edge.node).filter((row) => row.id !== without);
  const options = [
    ...(chosen === undefined || found.some((row) => row.id === chosen.id) ? [] : [chosen]),
    ...found,
  ];
  return (
    <Select
      label={t("relating.other")}
      placeholder={t("relating.search")}
      data={options.map(({ id, content }) => ({ value: id, label: content }))}
      filter={({ options: all }) => all} // the server has searched
      nothingFoundMessage={t("relating.nothing")}
      searchable
      searchValue={text}
      onSearchChange={setText}
      value={value}
      onChange={(id) => {
        setChosen(options.find((row) => row.id === id));
        onChange(id);
      }}
    />
  );
}
