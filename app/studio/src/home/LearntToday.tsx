import { Sunrise } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { HomeQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { TypeMark } from "../memories/TypeMark";
import { useLinks } from "../server/workspace";
import { Empty } from "../shell/Empty";
import classes from "./home.module.css";
import { Panel } from "./Panel";

/** The newest memories of today. */
export function LearntToday({ home }: { readonly home: HomeQuery }) {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const link = useLinks();
  const { edges, totalCount } = home.learntToday;
  return (
    <Panel title={t("home.today")} aside={number(totalCount)}>
      {edges.length === 0 && <Empty icon={Sunrise} title={t("home.noToday")} text={t("home.noTodayText")} />}
      {edges.map(({ node }) => (
        <Link key={node.id} className={classes.line} to={link("/memories", { memory: node.id })}>
          <TypeMark type={node.type} />
          <span className={classes.lineText}>{node.content}</span>
          <span className={classes.aside}>{ago(node.createdAt)}</span>
        </Link>
      ))}
    </Panel>
  );
}
