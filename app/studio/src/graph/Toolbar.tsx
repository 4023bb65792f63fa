import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { Braces, Download, ExternalLink, Eye, Image, Maximize, Minus, Plus, RotateCcw } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useNotices } from "../shell/useNotices";
import type { CanvasHandle } from "./Canvas";
import type { Drawing } from "./drawing";
import { downloadJson } from "./exports";
import classes from "./graph.module.css";

const ZOOM = 1.6;
const NAME = "graph";

interface ToolbarProps {
  readonly handle: RefObject<CanvasHandle | null>;
  readonly drawing: Drawing;
  readonly isOverview: boolean;
  readonly hiddenCount: number;
  readonly onShowHidden: () => void;
  readonly onReset: () => void;
  readonly onOpenInBrowser: () => void;
}

/** What can be done to the drawing as a whole. */
export function Toolbar(props: ToolbarProps) {
  const { t } = useTranslation();
  const { refuse } = useNotices();
  const { handle, drawing, isOverview, hiddenCount } = props;
  const { onShowHidden, onReset, onOpenInBrowser } = props;
  const views = [
    { name: "zoomIn", icon: Plus, act: () => handle.current?.zoom(ZOOM) },
    { name: "zoomOut", icon: Minus, act: () => handle.current?.zoom(1 / ZOOM) },
    { name: "fit", icon: Maximize, act: () => handle.current?.fit() },
  ] as const;
  const exportPng = () => {
    handle.current
      ?.exportPng(NAME)
      .catch((error: unknown) => refuse(error instanceof Error ? error.message : undefined));
  };
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t("graph.tools")}>
      {views.map(({ name, icon: Icon, act }) => (
        <Tooltip key={name} label={t(`graph.${name}`)}>
          <ActionIcon variant="default" size={30} aria-label={t(`graph.${name}`)} onClick={act}>
            <Icon size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      {!isOverview && (
        <Tooltip label={t("graph.overview")}>
          <ActionIcon variant="default" size={30} aria-label={t("graph.overview")} onClick={onReset}>
            <RotateCcw size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t("graph.take")}>
            <Download size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Image size={14} aria-hidden />} onClick={exportPng}>
            {t("graph.png")}
          </Menu.Item>
          <Menu.Item
            leftSection={<Braces size={14} aria-hidden />}
            onClick={() => downloadJson(drawing, `${NAME}.json`)}
          >
            {t("graph.json")}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<ExternalLink size={14} aria-hidden />} onClick={onOpenInBrowser}>
            {t("graph.browser")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {hiddenCount > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          h={30}
          leftSection={<Eye size={14} aria-hidden />}
          onClick={onShowHidden}
        >
          {t("graph.showHidden", { count: hiddenCount })}
        </Button>
      )}
    </div>
  );
}
