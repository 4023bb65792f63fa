import { ActionIcon, Menu } from "@mantine/core";
import { MoreHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface RowMenuProps {
  readonly name: string; // of the row
  readonly children: ReactNode;
}

/** The menu of a row with more than one action. */
export function RowMenu({ name, children }: RowMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("keys.actions", { name })}>
          <MoreHorizontal size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
