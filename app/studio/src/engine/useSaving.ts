import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type TypedDocumentNode, useMutation } from "urql";
import { reasonOf } from "../server/client";
import { useNotices } from "../shell/useNotices";

interface Saving {
  readonly refusal: string | undefined; // of what was saved last
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

/** Return what saves a change of the engine, as `Card` takes it. */
export function useSaving<Input>(
  document: TypedDocumentNode<unknown, { readonly input: Input }>,
  input: Input,
  onSaved: () => void,
): Saving {
  const { t } = useTranslation();
  const { say } = useNotices();
  const [refusal, setRefusal] = useState<string>();
  const [{ fetching: isSaving }, send] = useMutation(document);
  const save = async () => {
    const { error } = await send({ input });
    setRefusal(reasonOf(error));
    if (error !== undefined) return;
    say(t("settings.saved"));
    onSaved();
  };
  return { refusal, isSaving, onSave: () => void save() };
}
