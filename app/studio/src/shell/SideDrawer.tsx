import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export interface SideDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string | null;
  readonly size?: number;
  readonly children: ReactNode;
}

/** What is shown beside a page that stays visible. */
export function SideDrawer({ opened, onClose, title, size = 520, children }: SideDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={size}
      title={title}
      closeButtonProps={{ "aria-label": t("shell.close") }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {children}
    </Drawer>
  );
}
