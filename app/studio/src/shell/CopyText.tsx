import { Button, type ButtonProps } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "./clipboard";
import { useNotices } from "./useNotices";

const COPIED_MS = 2_000;

interface CopyTextProps extends ButtonProps {
  readonly value: string;
  readonly label?: string; // left out: "Copy"
}

/** A button that copies a text and says so; where the browser refuses, it says that. */
export function CopyText({ value, label, ...rest }: CopyTextProps) {
  const { t } = useTranslation();
  const notices = useNotices();
  const [isCopied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), COPIED_MS);
  const copy = async () => {
    try {
      await copyText(value);
      setCopied(true);
      start();
    } catch {
      notices.refuse(t("shell.noClipboard"), t("shell.notCopied"));
    }
  };
  return (
    <Button
      variant="default"
      leftSection={isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      {...rest}
      onClick={() => void copy()}
    >
      {isCopied ? t("shell.copied") : (label ?? t("shell.copy"))}
    </Button>
  );
}
