import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface SideDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: number;
  readonly children: ReactNode;
}

/** The details of one row beside its list, which stays visible. */
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
