import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useServerState } from "../server/signals";
import classes from "./Shell.module.css";

/** Says that the server is gone; what was typed stays, and the page goes on by itself once it is back. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { contact } = useServerState();
  if (contact !== "lost") return null;
  return (
    <div className={classes.banner} role="status">
      <Loader size={14} aria-hidden />
      <span>{t("shell.lost")}</span>
    </div>
  );
}
