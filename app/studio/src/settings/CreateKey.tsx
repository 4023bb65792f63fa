import { Alert, Button, Chip, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateApiKeyDocument, type Scope } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog } from "../shell/Dialog";

const SCOPES: readonly Scope[] = ["READ", "WRITE", "ADMIN"];
const NOTHING: Typed = { name: "", scopes: ["READ", "WRITE"], userId: "" };

interface Typed {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly userId: string;
}

interface CreateKeyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}

/** The dialog to make a key for the workspace that is shown, for everybody or bound to one user. */
export function CreateKey({ opened, onClose, onCreated }: CreateKeyProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("keys.create")}>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateForm({ onClose, onCreated }: Omit<CreateKeyProps, "opened">) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, create] = useMutation(CreateApiKeyDocument);
  const [typed, setTyped, , clearSent] = useDraft("key", NOTHING);
  const { name, scopes, userId } = typed;
  const [refusal, setRefusal] = useState<string>();

  const save = async () => {
    const bound = userId.trim() === "" ? {} : { userId: userId.trim() };
    const { data, error } = await create({ input: { name: name.trim(), scopes, workspaceId, ...bound } });
    if (data === undefined) {
      setRefusal(reasonOf(error));
      return;
    }
    clearSent(typed);
    onCreated(data.createApiKey.secret);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("keys.name")}
          placeholder={t("keys.nameExample")}
          required
          data-autofocus
          value={name}
          onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        />
        <div role="group" aria-label={t("keys.scopes")}>
          <Text size="sm" fw={500} mb={6}>
            {t("keys.scopes")}
          </Text>
          <Chip.Group
            multiple
            value={[...scopes]}
            onChange={(chosen) =>
              setTyped({ ...typed, scopes: SCOPES.filter((scope) => chosen.includes(scope)) })
            }
          >
            <Group gap={6}>
              {SCOPES.map((scope) => (
                <Chip key={scope} value={scope} size="sm">
                  {t(`scope.${scope}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </div>
        <TextInput
          label={t("keys.user")}
          description={t("keys.userHint")}
          value={userId}
          onChange={(event) => setTyped({ ...typed, userId: event.currentTarget.value })}
        />
        {refusal !== undefined && <Alert color="red">{refusal}</Alert>}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t("shell.cancel")}
          </Button>
          <Button type="submit" loading={fetching} disabled={name.trim() === "" || scopes.length === 0}>
            {t("keys.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
