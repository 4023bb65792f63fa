import { Chip, Group, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateApiKeyDocument, type Scope } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { CreateDialog } from "../shell/CreateDialog";
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
  const workspaceId = useWorkspaceId() ?? null;
  const [, create] = useMutation(CreateApiKeyDocument);
  return (
    <CreateDialog
      opened={opened}
      title={t("keys.create")}
      action={t("keys.create")}
      draft="key"
      nothing={NOTHING}
      isComplete={({ name, scopes }) => name.trim() !== "" && scopes.length > 0}
      create={({ name, scopes, userId }) => {
        const bound = userId.trim() === "" ? {} : { userId: userId.trim() };
        return create({ input: { name: name.trim(), scopes, workspaceId, ...bound } });
      }}
      onClose={onClose}
      onCreated={(data) => onCreated(data.createApiKey.secret)}
    >
      {({ name, scopes, userId }, put) => (
        <>
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
        </>
      )}
    </CreateDialog>
  );
}
