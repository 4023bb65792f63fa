import { useTranslation } from "react-i18next";
import type { MemoryType } from "../../generated/operations";
import classes from "./memories.module.css";
import { TYPE_COLOURS } from "./typeColours";

/** The type of a memory: a dot of its colour, and its name. */
export function TypeMark({ type }: { readonly type: MemoryType }) {
  const { t } = useTranslation();
  return (
    <span className={classes.typeMark}>
      <i style={{ background: `var(--mantine-color-${TYPE_COLOURS[type]}-6)` }} aria-hidden />
      {t(`type.${type}`)}
    </span>
  );
}
