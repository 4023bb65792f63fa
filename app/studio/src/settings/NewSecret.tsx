import { Button, Code, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyText } from "../shell/CopyText";
import { Dialog } from "../shell/Dialog";

interface NewSecretProps {
  readonly secret: string | null;
  readonly title: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Shows a secret that nobody can read again. */
export function NewSecret({ secret, title, text, onClose }: NewSecretProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={secret !== null} onClose={onClose} title={title} closeOnClickOutside={false}>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <Code block>{secret}</Code>
      <Group justify="flex-end" gap="xs" mt="lg">
        <CopyText value={secret ?? ""} />
        <Button onClick={onClose}>{t("keys.kept")}</Button>
      </Group>
    </Dialog>
  );
}
