import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { Failure } from "./Failure";

/** What is shown when a page breaks, or cannot be loaded because the Studio was built anew meanwhile. */
export function PageFailed() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <Failure
      title={t("shell.pageFailed")}
      reason={error instanceof Error ? error.message : undefined}
      onRetry={() => location.reload()}
    />
  );
}
