import { Alert, Badge, Button, Stack, Text, Textarea, Title } from "@mantine/core";
import { MessageCircleQuestion, ScrollText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQuery } from "urql";
import { AskDocument, type AskQuery, PromptRunsDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useLinks, useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Empty } from "../shell/Empty";
import { PagedTable } from "../shell/Table";
import { useAddress } from "../shell/useAddress";
import { usePages } from "../shell/usePages";

const QUESTION = "q";

type Citation = AskQuery["ask"]["citations"][number];

/** A question, its answer with what that rests on, and which answers were given before. */
export function AskPanel() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { search, put } = useAddress();
  const asked = search.get(QUESTION) ?? "";
  const [question, setQuestion] = useState(asked);
  const [before, setBefore] = useState(asked);
  if (before !== asked) {
    setBefore(asked);
    setQuestion(asked); // somebody went back to another question
  }
  const [{ data, error, fetching }, again] = useQuery({
    query: AskDocument,
    variables: { workspaceId, question: asked },
    pause: asked === "",
    requestPolicy: "network-only",
  });
  const ask = () => {
    if (question.trim() === asked) again({ requestPolicy: "network-only" });
    else put({ [QUESTION]: question.trim() });
  };
  return (
    <Stack gap="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Textarea
          label={t("knowledge.question")}
          placeholder={t("playground.queryExample")}
          autosize
          minRows={2}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <Button type="submit" mt="sm" loading={fetching} disabled={question.trim() === ""}>
          {t("knowledge.ask")}
        </Button>
      </form>
      {asked === "" ? (
        <div className="card">
          <Empty icon={MessageCircleQuestion} title={t("playground.empty")} text={t("knowledge.askText")} />
        </div>
      ) : (
        <Loaded
          answer={{ fetching, error }}
          data={fetching ? undefined : data?.ask}
          height={120}
          onRetry={ask}
        >
          {(answer) => <AnswerCard answer={answer} />}
        </Loaded>
      )}
      <Runs key={data?.ask.runId ?? ""} />
    </Stack>
  );
}

/** Return where what is cited is shown: a memory by itself, a relation between its two ends, else a node. */
export function placeOf({
  kind,
  nodeIds,
}: Pick<Citation, "kind" | "nodeIds">): [string, Record<string, string>] {
  const [id = "", other] = nodeIds;
  if (kind === "MEMORY") return ["/memories", { memory: id }];
  return ["/graph", other === undefined ? { from: id, node: id } : { way: `${id}~${other}` }];
}

function AnswerCard({ answer }: { readonly answer: AskQuery["ask"] }) {
  const { t } = useTranslation();
  const link = useLinks();
  return (
    <section className="card" style={{ padding: 16 }} aria-label={t("knowledge.answer")}>
      <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{answer.text}</Text>
      <Text size="xs" c="dimmed" mt="xs">
        {answer.model ?? t("knowledge.noModel")}
      </Text>
      {answer.fallback && (
        <Alert color="yellow" p="xs" mt="xs">
          <Text size="xs" lang="en">
            {answer.fallback}
          </Text>
        </Alert>
      )}
      {answer.citations.length > 0 && (
        <>
          <Title order={3} size="h6" c="dimmed" mt="md" mb={6}>
            {t("knowledge.citations")}
          </Title>
          <Stack gap={8}>
            {answer.citations.map((citation) => (
              <div key={citation.number}>
                <Badge variant="default" tt="none" size="sm" mr={6}>
                  [{citation.number}] {t(`citationKind.${citation.kind}`)}
                </Badge>
                <Text span size="sm" component={Link} to={link(...placeOf(citation))}>
                  {citation.quote}
                </Text>
                {citation.validity && (
                  <Text span size="sm" c="dimmed" lang="en">
                    {" "}
                    ({citation.validity})
                  </Text>
                )}
              </div>
            ))}
          </Stack>
        </>
      )}
    </section>
  );
}

function Runs() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(PromptRunsDocument, { workspaceId }, (data) => data.promptRuns);
  return (
    <section aria-label={t("knowledge.runs")}>
      <Title order={2} size="h6" mb="xs">
        {t("knowledge.runs")}
      </Title>
      <PagedTable
        pages={pages}
        empty={<Empty icon={ScrollText} title={t("knowledge.noRuns")} text={t("knowledge.noRunsText")} />}
        columns={[
          { name: t("knowledge.when"), kind: "quiet", cell: (row) => ago(row.createdAt) },
          { name: t("knowledge.outcome"), cell: (row) => t(`runOutcome.${row.outcome}`) },
          { name: t("knowledge.model"), isWide: true, cell: (row) => row.model ?? "–" },
          {
            name: t("playground.tokensUsed"),
            kind: "number",
            cell: (row) => number(row.promptTokens + row.answerTokens),
          },
          { name: t("knowledge.credits"), kind: "number", cell: (row) => number(row.credits, 4) },
        ]}
      />
    </section>
  );
}
