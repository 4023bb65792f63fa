import { Modal, type ModalProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A dialog over the page; its close button has a name. */
export function Dialog(props: ModalProps) {
  const { t } = useTranslation();
  return <Modal closeButtonProps={{ "aria-label": t("shell.close") }} {...props} />;
}
