import { Alert, Code, Text } from "@mantine/core";
import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";

export const UNREAD_SHARE = 0.1; // as the server's log and `recollect doctor` have it
const COMMAND = "recollect settings set embeddingProviderModel transformers/multilingual-e5-small-q4";

interface UnreadBannerProps {
  readonly share: number;
  readonly signature: string;
}

/** Where many memories are in languages that the model does not read: how to change over to one that does. */
export function UnreadBanner({ share, signature }: UnreadBannerProps) {
  const { t } = useTranslation();
  const { percent } = useFormats();
  return (
    <Alert
      mb="md"
      color="yellow"
      role="region"
      icon={<Languages size={16} aria-hidden />}
      title={t("home.unread", { share: percent(share), signature })}
    >
      <Text size="sm" mb={6}>
        {t("home.unreadText")}
      </Text>
      <Code>{COMMAND}</Code>
    </Alert>
  );
}
