import { Button, Collapse } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface DisclosureProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A small button with what it shows and hides. */
export function Disclosure({ icon: Icon, label, isOpen, onToggle, children }: DisclosureProps) {
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<Icon size={13} aria-hidden />}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        {label}
      </Button>
      <Collapse expanded={isOpen}>{children}</Collapse>
    </div>
  );
}
