import { Button, Group, List, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { SearchVectorTierDocument, type SearchVectorTierQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { useNotices } from "../shell/useNotices";

/** What the external store alone finds. */
export function SearchTest() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { refuse } = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [query, setQuery] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [hits, setHits] = useState<SearchVectorTierQuery["searchVectorTier"]>();
  const request = useRef(0);
  const search = async () => {
    const number = ++request.current;
    setBusy(true);
    const answer = await client.query(
      SearchVectorTierDocument,
      { workspaceId, query },
      { requestPolicy: "network-only" },
    );
    if (number !== request.current) return; // another query was sent meanwhile
    setBusy(false);
    if (answer.data === undefined) refuse(reasonOf(answer.error));
    else setHits(answer.data.searchVectorTier);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void search();
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          flex={1}
          label={t("engine.searchTest")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={query.trim() === ""}>
          {t("playground.simulate")}
        </Button>
      </Group>
      {hits?.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("playground.nothing")}
        </Text>
      )}
      <List size="sm" mt="xs">
        {hits?.map(({ memory, score }) => (
          <List.Item key={memory.id}>
            {memory.content} ({number(score, 3)})
          </List.Item>
        ))}
      </List>
    </form>
  );
}
