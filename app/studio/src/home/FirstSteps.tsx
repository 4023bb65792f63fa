import { Button, Code, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useLinks } from "../server/workspace";
import { CopyText } from "../shell/CopyText";
import classes from "./home.module.css";

/** Where a workspace is empty: how its first memories come, each with what to run. */
export function FirstSteps() {
  const { t } = useTranslation();
  const link = useLinks();
  const steps = [
    { name: "import", snippet: "recollect import chats.json --format chatgpt" },
    {
      name: "connect",
      snippet: `claude mcp add --transport http recollect ${location.origin}/mcp --header "Authorization: Bearer rk_…"`,
    },
  ] as const;
  return (
    <div className={classes.steps}>
      <section className={`card ${classes.step}`}>
        <Title order={2}>{t("home.stepSave")}</Title>
        <Text size="sm" c="dimmed" flex={1}>
          {t("home.stepSaveText")}
        </Text>
        <Button
          component={Link}
          to={link("/memories", { dialog: "add" })}
          style={{ alignSelf: "flex-start" }}
        >
          {t("add.title")}
        </Button>
      </section>
      {steps.map(({ name, snippet }) => (
        <section key={name} className={`card ${classes.step}`}>
          <Title order={2}>{t(`home.${name}`)}</Title>
          <Text size="sm" c="dimmed" flex={1}>
            {t(`home.${name}Text`)}
          </Text>
          <Code block>{snippet}</Code>
          <CopyText value={snippet} style={{ alignSelf: "flex-start" }} />
        </section>
      ))}
    </div>
  );
}
