import { ActionIcon, Menu } from "@mantine/core";
import { MoreHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./table.module.css";

interface RowMenuProps {
  readonly name: string; // of the row
  readonly children: ReactNode;
}

/** The last cell of a row with more than one action: a menu of them. */
export function RowMenu({ name, children }: RowMenuProps) {
  const { t } = useTranslation();
  return (
    <td className={classes.actions}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("keys.actions", { name })}>
            <MoreHorizontal size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{children}</Menu.Dropdown>
      </Menu>
    </td>
  );
}
