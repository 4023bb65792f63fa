import { ActionIcon } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { MouseEventHandler } from "react";

interface IconButtonProps {
  readonly icon: LucideIcon;
  readonly size?: number; // of the icon
  readonly label: string;
  readonly onClick: MouseEventHandler;
}

/** A button of which only the icon is seen. */
export function IconButton({ icon: Icon, size = 14, label, onClick }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <Icon size={size} aria-hidden />
    </ActionIcon>
  );
}
