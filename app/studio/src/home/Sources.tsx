import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { HomeQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import type { Source } from "../memories/sources";
import { useLinks } from "../server/workspace";
import classes from "./home.module.css";
import { Panel } from "./Panel";

/** Return how many memories came from each source, the most first; sources without any are left out. */
function countsBySource(home: HomeQuery): [Source, number][] {
  const counts: [Source, number][] = [
    ["api", home.api.totalCount],
    ["user", home.user.totalCount],
    ["model", home.model.totalCount],
    ["extracted", home.extracted.totalCount],
    ["imported", home.imported.totalCount],
    ["auto_research", home.autoResearch.totalCount],
    ["auto_deep_think", home.autoDeepThink.totalCount],
    ["auto_compaction", home.autoCompaction.totalCount],
  ];
  return counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
}

/** How the memories came here. */
export function Sources({ home }: { readonly home: HomeQuery }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const link = useLinks();
  return (
    <Panel title={t("home.sources")}>
      {countsBySource(home).map(([source, count]) => (
        <Link key={source} className={classes.line} to={link("/memories", { source })}>
          <span className={classes.lineText}>{t(`source.${source}`)}</span>
          <span className={classes.aside}>{number(count)}</span>
        </Link>
      ))}
    </Panel>
  );
}
