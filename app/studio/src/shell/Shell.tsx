import { AppShell, Burger, Group, NavLink, ScrollArea, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  Activity,
  Bot,
  Cpu,
  History,
  Home,
  Library,
  MessageCircle,
  MessagesSquare,
  Settings,
  Shapes,
  Waypoints,
} from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router";
import { useWorkspaceId, WORKSPACE } from "../server/workspace";
import { AccountMenu } from "./AccountMenu";
import { ConnectionBanner } from "./ConnectionBanner";
import { HealthDot } from "./HealthDot";
import mark from "./mark.svg";
import { SessionOver } from "./SessionOver";
import classes from "./Shell.module.css";
import { WorkspaceSwitch } from "./WorkspaceSwitch";

const PAGES = [
  { path: "/", name: "home.title", icon: Home },
  { path: "/memories", name: "memories.title", icon: Library },
  { path: "/chat", name: "chat.title", icon: MessageCircle },
  { path: "/conversations", name: "conversations.title", icon: MessagesSquare },
  { path: "/playground", name: "playground.title", icon: Activity },
  { path: "/graph", name: "graph.title", icon: Waypoints },
  { path: "/knowledge", name: "knowledge.title", icon: Shapes },
  { path: "/changes", name: "changes.title", icon: History },
  { path: "/agents", name: "agents.title", icon: Bot },
  { path: "/engine", name: "engine.title", icon: Cpu },
  { path: "/settings", name: "settings.title", icon: Settings },
] as const;

/** The frame around every page: navigation, workspace, health, and what is said when the server is gone. */
export function Shell() {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const workspaceId = useWorkspaceId();
  const search = workspaceId === undefined ? "" : `?${WORKSPACE}=${workspaceId}`;
  useEffect(close, [pathname, close]);

  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 228, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={0}
    >
      <a
        className={classes.skip}
        href="#page"
        onClick={(event) => {
          event.preventDefault(); // what stands behind the # belongs to the page
          document.getElementById("page")?.focus();
        }}
      >
        {t("shell.skip")}
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Group h="100%" px="md" gap="sm">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={t("shell.navigation")} />
          <img src={mark} alt="" width={22} height={22} />
          <Text fw={600}>Recollect</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label={t("shell.navigation")}>
        <Group px="sm" pt="sm" pb="xs" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap">
            <img src={mark} alt="" width={24} height={24} />
            <Text fw={600}>Recollect</Text>
          </Group>
          <Burger hiddenFrom="sm" opened onClick={close} size="sm" aria-label={t("shell.closeNavigation")} />
        </Group>
        <WorkspaceSwitch />
        <ScrollArea flex={1} px="xs" mt="xs">
          <Stack gap={2}>
            {PAGES.map(({ path, name, icon: Icon }) => (
              <NavLink
                key={path}
                component={Link}
                to={path + search}
                label={t(name)}
                active={path === "/" ? pathname === "/" : pathname.startsWith(path)}
                aria-current={pathname === path ? "page" : undefined}
                leftSection={<Icon size={16} aria-hidden />}
                className={classes.link}
              />
            ))}
          </Stack>
        </ScrollArea>
        <div className={classes.foot}>
          <HealthDot />
          <AccountMenu />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        <Outlet key={workspaceId ?? ""} />
      </AppShell.Main>
      <SessionOver />
    </AppShell>
  );
}
