import { Button } from "@mantine/core";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Empty } from "./Empty";

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Empty icon={Compass} title={t("shell.notFound")} text={t("shell.notFoundText")}>
      <Button component={Link} to="/" variant="default" mt="sm">
        {t("home.title")}
      </Button>
    </Empty>
  );
}
