import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** What stands in the place of something that comes. */
export function Loading({ height }: { readonly height: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("shell.loading")}>
      <Skeleton height={height} radius="lg" />
    </div>
  );
}
