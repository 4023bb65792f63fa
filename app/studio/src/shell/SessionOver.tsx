import { Button, getDefaultZIndex, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useServerState } from "../server/signals";
import { Dialog } from "./Dialog";
import { signInAddress } from "./signInAddress";

/** Says that the session is over; signing in leads back to this very address, where drafts wait. */
export function SessionOver() {
  const { t } = useTranslation();
  const { contact } = useServerState();
  useLocation(); // the address to come back to changes with the page
  return (
    <Dialog
      opened={contact === "signedOut"}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("session.over")}
      zIndex={getDefaultZIndex("overlay")} // above whichever dialog was open
    >
      <Text size="sm" c="dimmed">
        {t("session.text")}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button component="a" href={signInAddress(location)} data-autofocus>
          {t("session.signIn")}
        </Button>
      </Group>
    </Dialog>
  );
}
