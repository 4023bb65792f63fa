import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { History } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MemoryQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { ForWriters } from "../shell/ForWriters";
import classes from "./memories.module.css";
import { type Piece, wordDifference } from "./wordDifference";

type Version = NonNullable<MemoryQuery["memory"]>["versions"][number];

interface VersionsProps {
  readonly content: string;
  readonly versions: readonly Version[];
  readonly onRestore: (version: number) => void;
}

/** An earlier wording beside the present one, with what differs marked, to bring it back. */
export function Versions({ content, versions, onRestore }: VersionsProps) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const [chosen, setChosen] = useState<number | null>(null);
  const version = versions.find((each) => each.version === chosen) ?? versions[0];
  if (version === undefined)
    return (
      <Text size="sm" c="dimmed">
        {t("memories.noVersions")}
      </Text>
    );
  const pieces = wordDifference(version.content, content);
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Select
          aria-label={t("memories.version")}
          data={versions.map((each) => ({
            value: String(each.version),
            label: `${t("memories.versionNumber", { version: each.version })} · ${date(each.createdAt)}`,
          }))}
          value={String(version.version)}
          onChange={(value) => setChosen(Number(value))}
          allowDeselect={false}
          w={270}
        />
        <ForWriters>
          <Button
            variant="default"
            leftSection={<History size={14} aria-hidden />}
            onClick={() => onRestore(version.version)}
          >
            {t("memories.restoreVersion")}
          </Button>
        </ForWriters>
      </Group>
      <div className={classes.versions}>
        <Wording
          title={t("memories.versionNumber", { version: version.version })}
          pieces={pieces}
          mark="removed"
        />
        <Wording title={t("memories.now")} pieces={pieces} mark="added" />
      </div>
    </Stack>
  );
}

function Wording({
  title,
  pieces,
  mark,
}: {
  title: string;
  pieces: readonly Piece[];
  mark: "added" | "removed";
}) {
  const Marked = mark === "added" ? "ins" : "del";
  return (
    <section className={classes.version} aria-label={title}>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      {pieces
        .filter((piece) => piece.kind === "same" || piece.kind === mark)
        .map((piece, index) =>
          piece.kind === mark ? (
            <Marked key={index}>{piece.text}</Marked>
          ) : (
            <span key={index}>{piece.text}</span>
          ),
        )}
    </section>
  );
}
