import { Chip, Group, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateApiKeyDocument, type Scope } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useCreation } from "../shell/useCreation";
import type { CreateSecretProps } from "./SecretList";

const SCOPES: readonly Scope[] = ["READ", "WRITE", "ADMIN"];
const NOTHING: Typed = { name: "", scopes: ["READ", "WRITE"], userId: "" };

interface Typed {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly userId: string;
}

/** The dialog to make a key for the workspace that is shown, for everybody or bound to one user. */
export function CreateKey({ opened, onClose, onCreated }: CreateSecretProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("keys.create")}>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateForm({ onClose, onCreated }: Omit<CreateSecretProps, "opened">) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, create] = useMutation(CreateApiKeyDocument);
  const { typed, put, refusal, send } = useCreation(
    "key",
    NOTHING,
    ({ name, scopes, userId }) => {
      const bound = userId.trim() === "" ? {} : { userId: userId.trim() };
      return create({ input: { name: name.trim(), scopes, workspaceId, ...bound } });
    },
    (data) => onCreated(data.createApiKey.secret),
  );
  const { name, scopes, userId } = typed;
  return (
    <DialogForm
      action={t("keys.create")}
      isBusy={fetching}
      isDisabled={name.trim() === "" || scopes.length === 0}
      refusal={refusal}
      onCancel={onClose}
      onSubmit={() => void send()}
    >
      <TextInput
        label={t("keys.name")}
        placeholder={t("keys.nameExample")}
        required
        data-autofocus
        value={name}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <div role="group" aria-label={t("keys.scopes")}>
        <Text size="sm" fw={500} mb={6}>
          {t("keys.scopes")}
        </Text>
        <Chip.Group
          multiple
          value={[...scopes]}
          onChange={(chosen) => put({ scopes: SCOPES.filter((scope) => chosen.includes(scope)) })}
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
        onChange={(event) => put({ userId: event.currentTarget.value })}
      />
    </DialogForm>
  );
}
