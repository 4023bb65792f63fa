import { Badge, Button, Code, Group, Text } from "@mantine/core";
import { Plus } from "lucide-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyText } from "../shell/CopyText";
import { Dialog } from "../shell/Dialog";

/** The properties of a dialog that creates what has a secret. */
export interface CreateSecretProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}

interface SecretListProps {
  readonly kind: "keys" | "webhooks";
  readonly dialog: ComponentType<CreateSecretProps>;
  readonly secret: string | null; // a new one, to be shown
  readonly onSecret: (secret: string | null) => void;
  readonly onCreated: () => void;
  readonly children: ReactNode; // the rows
}

/** A list of what has a secret, with a button that creates more; a new secret is shown once. */
export function SecretList({ kind, dialog: Create, secret, onSecret, onCreated, children }: SecretListProps) {
  const { t } = useTranslation();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          {t(`${kind}.text`)}
        </Text>
        <Button leftSection={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
          {t(`${kind}.create`)}
        </Button>
      </Group>
      <div className="card">{children}</div>
      <Create
        opened={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(made) => {
          setCreating(false);
          onSecret(made);
          onCreated();
        }}
      />
      <Dialog
        opened={secret !== null}
        onClose={() => onSecret(null)}
        title={t(`${kind}.secret`)}
        closeOnClickOutside={false}
      >
        <Text size="sm" c="dimmed" mb="sm">
          {t(`${kind}.secretText`)}
        </Text>
        <Code block>{secret}</Code>
        <Group justify="flex-end" gap="xs" mt="lg">
          <CopyText value={secret ?? ""} />
          <Button onClick={() => onSecret(null)}>{t("keys.kept")}</Button>
        </Group>
      </Dialog>
    </>
  );
}

/** Names in one cell of such a list, each in a frame. */
export function Badges({ names }: { readonly names: readonly string[] }) {
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Badge key={name} variant="default" tt="none" size="sm">
          {name}
        </Badge>
      ))}
    </Group>
  );
}
