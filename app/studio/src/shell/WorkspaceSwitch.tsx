import { Menu, Text, UnstyledButton } from "@mantine/core";
import { Boxes, Check, ChevronsUpDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate, useLocation } from "react-router";
import { useQuery } from "urql";
import { WorkspacesDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount } from "../server/account";
import { useWorkspaceId, WORKSPACE } from "../server/workspace";
import classes from "./Shell.module.css";

/** Which workspace is shown; an administrator may change it, everybody else sees that of the key. */
export function WorkspaceSwitch() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const own = useAccount().workspaceId;
  const shown = useWorkspaceId() ?? own;
  const [{ data }] = useQuery({ query: WorkspacesDocument });
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const workspaces = data?.workspaces.edges.map((edge) => edge.node) ?? [];
  const name = workspaces.find((each) => each.id === shown)?.name ?? (data === undefined ? "…" : shown);

  return (
    <Menu position="bottom-start" width={260} disabled={workspaces.length < 2}>
      <Menu.Target>
        <UnstyledButton className={classes.switch} aria-label={`${t("shell.workspace")}: ${name}`}>
          <Boxes size={15} aria-hidden />
          <Text size="sm" fw={500} truncate flex={1}>
            {name}
          </Text>
          {workspaces.length > 1 && <ChevronsUpDown size={14} aria-hidden />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        <Menu.Label>{t("shell.workspace")}</Menu.Label>
        {workspaces.map((each) => (
          <Menu.Item
            key={each.id}
            rightSection={
              each.id === shown ? (
                <Check size={14} aria-hidden />
              ) : (
                <Text size="xs" c="dimmed">
                  {number(each.memoryCount)}
                </Text>
              )
            }
            onClick={() => void navigate(each.id === own ? pathname : `${pathname}?${WORKSPACE}=${each.id}`)}
          >
            {each.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
