import { Button, Code, Group, Modal, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyText } from "../shell/CopyText";

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
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <Code block>{secret}</Code>
      <Group justify="flex-end" gap="xs" mt="lg">
        <CopyText value={secret ?? ""} />
        <Button onClick={onClose}>{t("keys.kept")}</Button>
      </Group>
    </Modal>
  );
}
