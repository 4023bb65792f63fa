import { useTranslation } from "react-i18next";
import type { HomeQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import classes from "./home.module.css";
import { Panel } from "./Panel";

const MOST = 6;

/** Whose memories there are, where some belong to anybody. */
export function People({ home }: { readonly home: HomeQuery }) {
  const { t } = useTranslation();
  const { counted, number } = useFormats();
  const people = home.users.edges.map((edge) => edge.node);
  if (people.length === 0) return null;
  const most = people.toSorted((a, b) => b.memories - a.memories).slice(0, MOST);
  return (
    <Panel title={t("home.people")} aside={counted(people.length, home.users.pageInfo.hasNextPage)}>
      {most.map((person) => (
        <div key={person.id} className={classes.line}>
          <span className={classes.lineText}>{person.id}</span>
          <span className={classes.aside}>
            {t("memories.count", { count: person.memories, shown: number(person.memories) })}
          </span>
        </div>
      ))}
    </Panel>
  );
}
