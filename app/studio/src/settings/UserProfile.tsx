import { Anchor, List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { ProfileOfUserDocument, type ProfileOfUserQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Dialog } from "../shell/Dialog";

type Entry = ProfileOfUserQuery["profile"]["entries"][number];

const SECTIONS = ["SLOT", "PREFERENCE", "PROJECT", "PERSON"] as const;

interface UserProfileProps {
  readonly userId: string | null;
  readonly onClose: () => void;
}

/** Who a user is: current facts with their dates, each with a link to its memory. */
export function UserProfile({ userId, onClose }: UserProfileProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useQuery({
    query: ProfileOfUserDocument,
    variables: { workspaceId, userId: userId ?? "" },
    pause: userId === null,
    requestPolicy: "network-only",
  });
  return (
    <Dialog
      opened={userId !== null}
      onClose={onClose}
      size="lg"
      title={t("users.profileOf", { name: userId })}
    >
      <Loaded
        answer={answer}
        data={answer.fetching ? undefined : answer.data?.profile}
        height={120}
        onRetry={() => ask()}
      >
        {({ entries, leftOut }) => (
          <>
            {entries.length === 0 && (
              <Text size="sm" c="dimmed">
                {t("users.profileNone")}
              </Text>
            )}
            {SECTIONS.map((section) => (
              <Section
                key={section}
                title={t(`profileSection.${section}`)}
                entries={entries.filter((entry) => entry.section === section)}
              />
            ))}
            {leftOut > 0 && (
              <Text size="sm" c="dimmed" mt="md">
                {t("users.profileMore", { count: leftOut })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Section({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  const { date } = useFormats();
  const link = useLinks();
  if (entries.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="md">
        {title}
      </Text>
      <List size="sm">
        {entries.map((entry) => (
          <List.Item key={entry.memoryId}>
            <Anchor component={Link} to={link("/memories", { memory: entry.memoryId })} c="inherit" size="sm">
              {entry.text}
            </Anchor>{" "}
            <Text span size="xs" c="dimmed">
              {date(entry.date)}
            </Text>
          </List.Item>
        ))}
      </List>
    </>
  );
}
