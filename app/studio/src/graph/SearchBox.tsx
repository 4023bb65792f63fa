import { Combobox, Loader, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { GraphSearchDocument, type GraphSearchQuery, type NodeKind } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import classes from "./graph.module.css";
import { LOOKS } from "./style";

const SOON_MS = 250;

interface Suggestion {
  readonly id: string;
  readonly kind: NodeKind;
  readonly text: string;
}

/** Return what a search found: entities by their names, then whatever else; each once. */
function suggestionsOf(data: GraphSearchQuery | undefined): Suggestion[] {
  const named =
    data?.entities.edges.map(({ node }) => ({ id: node.id, kind: "ENTITY" as const, text: node.name })) ?? [];
  const hits = data?.search.hits.map(({ nodeId, kind, text }) => ({ id: nodeId, kind, text })) ?? [];
  return [...new Map([...hits, ...named].map((each) => [each.id, each])).values()].sort(
    (a, b) => Number(named.some(({ id }) => id === b.id)) - Number(named.some(({ id }) => id === a.id)),
  );
}

/** Finds a node by meaning or name, to draw what is around it. */
export function SearchBox({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), SOON_MS);
  const [{ data, error, fetching }] = useQuery({
    query: GraphSearchDocument,
    variables: { workspaceId, query },
    pause: query === "",
  });
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const suggestions = query === "" ? [] : suggestionsOf(data);
  return (
    <Combobox
      store={box}
      width="target"
      position="bottom-end"
      onOptionSubmit={(id) => {
        onChoose(id);
        setText("");
        box.closeDropdown();
      }}
    >
      <Combobox.Target>
        <TextInput
          className={classes.search}
          aria-label={t("graph.search")}
          placeholder={t("graph.search")}
          leftSection={<Search size={15} aria-hidden />}
          rightSection={fetching && query !== "" ? <Loader size={14} aria-hidden /> : null}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            box.openDropdown();
          }}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={query === ""}>
        <Combobox.Options mah={320} style={{ overflowY: "auto" }}>
          {suggestions.map(({ id, kind, text: found }) => (
            <Combobox.Option key={id} value={id}>
              <span className={classes.node} style={{ padding: 0 }}>
                <i style={{ background: LOOKS[kind].color }} aria-hidden />
                <Text span size="sm" lineClamp={2}>
                  {found}
                </Text>
                <span className={classes.aside}>{t(`nodeKind.${kind}`)}</span>
              </span>
            </Combobox.Option>
          ))}
          {suggestions.length === 0 && !fetching && (
            <Combobox.Empty>{error === undefined ? t("graph.notFound") : reasonOf(error)}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
