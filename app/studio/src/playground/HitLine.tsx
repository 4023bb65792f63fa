import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFormats } from "../i18n/formats";
import { TypeMark } from "../memories/TypeMark";
import { useLinks } from "../server/workspace";
import classes from "./playground.module.css";
import { type Hit, isBelow, reasonsOf } from "./simulation";

interface HitLineProps {
  readonly hit: Hit;
  readonly rank: number;
  readonly moved: number | null | undefined; // places against the other setting; null: it is not there
  readonly threshold: number;
  readonly contents: ReadonlyMap<string, string>; // of the hits beside it, by their ids
}

/** One hit: what it says, how relevant it is, what each leg thought of it, and why it was found. */
export function HitLine({ hit, rank, moved, threshold, contents }: HitLineProps) {
  const { t } = useTranslation();
  const { date, number, percent } = useFormats();
  const link = useLinks();
  const { memory, relevance } = hit;
  const reasons = reasonsOf(hit.why);
  const leg = (place: number | null | undefined, score: number | null | undefined) =>
    place === null || place === undefined ? "–" : `#${place} (${number(score ?? 0, 3)})`;
  return (
    <article className={classes.hit} data-below={isBelow(hit, threshold) || undefined}>
      <div className={classes.hitHead}>
        <span className={classes.rank}>{rank}</span>
        <Link className={classes.hitContent} to={link("/memories", { memory: memory.id })}>
          {hit.promptText}
        </Link>
      </div>
      <div className={classes.hitBody}>
        {relevance !== null && relevance !== undefined && (
          <div
            className={classes.relevance}
            role="meter"
            aria-label={t("playground.relevance")}
            aria-valuemin={0}
            aria-valuemax={1}
            aria-valuenow={relevance}
          >
            <span style={{ width: `${relevance * 100}%` }} />
            {threshold > 0 && <i className={classes.line} style={{ left: `${threshold * 100}%` }} />}
          </div>
        )}
        <div className={classes.scores}>
          <TypeMark type={memory.type} />
          {moved !== undefined && <Movement places={moved} />}
          {hit.validity === "HISTORY" && (
            <Badge variant="default" size="sm" tt="none">
              {memory.tInvalid
                ? t("playground.historyUntil", { day: date(memory.tInvalid) })
                : t("playground.history")}
            </Badge>
          )}
          <span>
            {t("playground.relevance")}{" "}
            <b>{relevance === null || relevance === undefined ? "–" : percent(relevance)}</b>
          </span>
          <span>
            {t("playground.score")} <b>{number(hit.score, 3)}</b>
          </span>
          <span>
            {t("playground.meaning")} <b>{leg(hit.vectorRank, hit.vectorScore)}</b>
          </span>
          <span>
            {t("playground.words")} <b>{leg(hit.textRank, hit.textScore)}</b>
          </span>
          <span>
            {t("playground.tier")} <b>{t(`tier.${hit.tier}`)}</b>
          </span>
          <span>{t("playground.tokens", { count: hit.tokens })}</span>
        </div>
        {reasons.length > 0 && (
          <ul className={classes.why} aria-label={t("playground.why")}>
            {reasons.map((reason) => (
              <li key={reason} lang="en">
                {reason}
              </li>
            ))}
          </ul>
        )}
        {hit.disagreesWith.length > 0 && (
          <div className={classes.disagrees}>
            {t("playground.disagrees")}{" "}
            {hit.disagreesWith.map((id) => (
              <Link key={id} to={link("/memories", { memory: id })}>
                {contents.get(id) ?? t("memories.one")}
              </Link>
            ))}
          </div>
        )}
      </div>
    </article>
  );
}

function Movement({ places }: { readonly places: number | null }) {
  const { t } = useTranslation();
  if (places === 0) return null;
  const text = places === null ? t("playground.onlyHere") : places > 0 ? `↑ ${places}` : `↓ ${-places}`;
  return (
    <Badge variant="default" size="sm" tt="none">
      {text}
    </Badge>
  );
}
