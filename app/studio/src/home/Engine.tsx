import { useTranslation } from "react-i18next";
import type { HomeQuery } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import classes from "./home.module.css";
import { Panel } from "./Panel";

/** How the workspace's memories fare: embedded, waiting, recalled. */
export function Engine({ home }: { readonly home: HomeQuery }) {
  const { t } = useTranslation();
  const { date, number, percent } = useFormats();
  const { embedder, workspaces } = home.engine;
  const counts = workspaces[0];
  const lines: [string, string][] = [
    [
      t("home.embedder"),
      embedder.ready
        ? (embedder.signature ?? "–")
        : [
            embedder.reason ?? t("health.silent"),
            ...(embedder.since ? [t("engine.failingSince", { since: date(embedder.since) })] : []),
          ].join(" · "),
    ],
    ...(counts === undefined
      ? []
      : ([
          [t("home.embedded"), `${number(counts.embedded)} / ${number(counts.memories)}`],
          [t("home.pending"), number(counts.pendingJobs)],
          [t("statistics.recalls"), number(counts.recalls)],
          [
            t("statistics.hitRate"),
            counts.recallHitRate === null || counts.recallHitRate === undefined
              ? "–"
              : percent(counts.recallHitRate),
          ],
        ] satisfies [string, string][])),
  ];
  return (
    <Panel title={t("home.engine")}>
      {lines.map(([name, value]) => (
        <div key={name} className={classes.line}>
          <span className="soft">{name}</span>
          <span className={classes.lineText} style={{ textAlign: "right" }} title={value}>
            {value}
          </span>
        </div>
      ))}
    </Panel>
  );
}
