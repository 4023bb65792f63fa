import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { HomeQuery, MemoryType } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { TYPE_COLOURS } from "../memories/typeColours";
import { useLinks } from "../server/workspace";
import classes from "./home.module.css";
import { Panel } from "./Panel";

/** Return how many there are of each type, the most first; types without any are left out. */
function countsByType(home: HomeQuery): [MemoryType, number][] {
  const counts: [MemoryType, number][] = [
    ["PREFERENCE", home.preferences.totalCount],
    ["DECISION", home.decisions.totalCount],
    ["INSIGHT", home.insights.totalCount],
    ["PATTERN", home.patterns.totalCount],
    ["HABIT", home.habits.totalCount],
    ["STYLE", home.styles.totalCount],
    ["CONTEXT", home.contexts.totalCount],
  ];
  return counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
}

/** How many memories there are of each type. */
export function TypeCounts({ home }: { readonly home: HomeQuery }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const link = useLinks();
  const counts = countsByType(home);
  const most = counts[0]?.[1] ?? 1;
  return (
    <Panel
      title={t("home.known")}
      aside={t("memories.count", {
        count: home.everything.totalCount,
        shown: number(home.everything.totalCount),
      })}
    >
      <div className={classes.types}>
        {counts.map(([type, count]) => (
          <Link key={type} className={classes.type} to={link("/memories", { type: type.toLowerCase() })}>
            <span>{t(`type.${type}`)}</span>
            <span className={classes.bar} aria-hidden>
              <span
                style={{
                  width: `${(100 * count) / most}%`,
                  background: `var(--mantine-color-${TYPE_COLOURS[type]}-6)`,
                }}
              />
            </span>
            <span className={classes.aside}>{number(count)}</span>
          </Link>
        ))}
      </div>
    </Panel>
  );
}
