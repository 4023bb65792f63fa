import { Combobox, Group, Text, UnstyledButton, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Boxes, Check, ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useLocation } from "react-router";
import { useQuery } from "urql";
import {
  type WorkspaceRowFragment,
  WorkspacesCalledDocument,
  WorkspacesDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount } from "../server/account";
import { useWorkspaceId, WORKSPACE } from "../server/workspace";
import classes from "./Shell.module.css";
import { workspaceChoices } from "./workspaceChoices";

const SOON_MS = 250;
const FEW = 8; // are seen at a glance

/** Which workspace is shown; an administrator may change it, everybody else sees that of the key. */
export function WorkspaceSwitch() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const own = useAccount().workspaceId;
  const shown = useWorkspaceId() ?? own;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [text, setText] = useState("");
  const [{ data }] = useQuery({ query: WorkspacesDocument });
  const listed = rowsOf(data);
  const called = useCalled(text);
  const name = useName(shown, data && listed);
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setText("");
    },
  });
  const mayChoose = listed.length > 1;
  const isMany = listed.length > FEW || data?.workspaces.pageInfo.hasNextPage === true;
  const choices = workspaceChoices(listed, called, text);
  const choose = (id: string) => {
    combobox.closeDropdown();
    void navigate(id === own ? pathname : `${pathname}?${WORKSPACE}=${id}`);
  };
  return (
    <Combobox
      store={combobox}
      width={260}
      position="bottom-start"
      disabled={!mayChoose}
      onOptionSubmit={choose}
    >
      <Combobox.Target targetType="button" withAriaAttributes={mayChoose} withExpandedAttribute={mayChoose}>
        <UnstyledButton
          className={classes.switch}
          aria-label={`${t("shell.workspace")}: ${name}`}
          onClick={() => combobox.toggleDropdown()}
        >
          <Boxes size={15} aria-hidden />
          <Text size="sm" fw={500} truncate flex={1}>
            {name}
          </Text>
          {mayChoose && <ChevronsUpDown size={14} aria-hidden />}
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        {isMany && (
          <Combobox.Search
            aria-label={t("shell.findWorkspace")}
            placeholder={t("shell.findWorkspace")}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              combobox.updateSelectedOptionIndex();
            }}
          />
        )}
        <Combobox.Options mah={320} style={{ overflowY: "auto" }} aria-label={t("shell.workspace")}>
          {choices.map((each) => (
            <Combobox.Option key={each.id} value={each.id} active={each.id === shown}>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" truncate>
                  {each.name}
                </Text>
                {each.id === shown ? (
                  <Check size={14} aria-hidden />
                ) : (
                  <Text size="xs" c="dimmed">
                    {number(each.memoryCount)}
                  </Text>
                )}
              </Group>
            </Combobox.Option>
          ))}
          {choices.length === 0 && <Combobox.Empty>{t("shell.noWorkspace")}</Combobox.Empty>}
        </Combobox.Options>
        {data?.workspaces.pageInfo.hasNextPage === true && (
          <Combobox.Footer>
            <Text size="xs" c="dimmed">
              {t("shell.firstWorkspaces", { shown: number(listed.length) })}
            </Text>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface Answer {
  readonly workspaces: { readonly edges: readonly { readonly node: WorkspaceRowFragment }[] };
}

function rowsOf(answer: Answer | undefined): WorkspaceRowFragment[] {
  return answer?.workspaces.edges.map((edge) => edge.node) ?? [];
}

/** Return the workspaces of a name or id as it is typed, also those that are not among the first. */
function useCalled(text: string): WorkspaceRowFragment[] {
  const [called] = useDebouncedValue(text.trim(), SOON_MS);
  const [{ data }] = useQuery({
    query: WorkspacesCalledDocument,
    variables: { called },
    pause: called === "",
  });
  return called === "" ? [] : rowsOf(data).filter((each) => each.id === called || each.name === called);
}

/** Return what a workspace is called, also where it is not among those listed; its id where nobody knows. */
function useName(id: string, listed: readonly WorkspaceRowFragment[] | undefined): string {
  const known = listed?.find((each) => each.id === id);
  const [{ data, fetching }] = useQuery({
    query: WorkspacesCalledDocument,
    variables: { called: id },
    pause: listed === undefined || known !== undefined,
  });
  const found = known ?? rowsOf(data).find((each) => each.id === id);
  return found?.name ?? (listed === undefined || fetching ? "…" : id);
}
