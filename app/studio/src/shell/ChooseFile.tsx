import { Button, FileButton } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";

interface ChooseFileProps {
  readonly accept: string;
  readonly disabled?: boolean;
  readonly icon?: ReactNode;
  readonly onChoose: (file: File) => void;
}

/** The button that chooses a file; the same one can be chosen again, as it may have been changed meanwhile. */
export function ChooseFile({ accept, disabled = false, icon, onChoose }: ChooseFileProps) {
  const { t } = useTranslation();
  const forget = useRef<() => void>(null);
  return (
    <FileButton
      accept={accept}
      resetRef={forget}
      onChange={(file) => {
        forget.current?.();
        if (file !== null) onChoose(file);
      }}
    >
      {(props) => (
        <Button variant="default" disabled={disabled} leftSection={icon} {...props}>
          {t("import.choose")}
        </Button>
      )}
    </FileButton>
  );
}
