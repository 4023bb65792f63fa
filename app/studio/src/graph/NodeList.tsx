import { TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing } from "./drawing";
import classes from "./graph.module.css";
import { LOOKS, shortCaption } from "./style";

const MOST = 100;

/** The nodes as a list, those with the most edges first: to find one by its name, and for whoever sees no drawing. */
export function NodeList({
  drawing,
  onSelect,
}: {
  readonly drawing: Drawing;
  readonly onSelect: (id: string) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const ranked = useMemo(() => {
    const degrees = new Map<string, number>();
    for (const { fromId, toId } of drawing.edges.values())
      for (const id of [fromId, toId]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
    return [...drawing.nodes.values()].sort((a, b) => (degrees.get(b.id) ?? 0) - (degrees.get(a.id) ?? 0));
  }, [drawing]);
  const found = ranked.filter(({ caption }) => caption.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <section className={`card ${classes.list}`} aria-label={t("graph.nodes")}>
      <TextInput
        m={10}
        aria-label={t("graph.filterNodes")}
        placeholder={t("graph.filterNodes")}
        leftSection={<Search size={14} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul>
        {found.slice(0, MOST).map(({ id, kind, caption }) => (
          <li key={id}>
            <button type="button" className={classes.node} onClick={() => onSelect(id)}>
              <i style={{ background: LOOKS[kind].color }} aria-hidden />
              <span>{shortCaption(caption)}</span>
              <span className={classes.aside}>{t(`nodeKind.${kind}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
