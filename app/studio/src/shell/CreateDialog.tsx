import { type ReactNode, useState } from "react";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { Dialog, DialogForm } from "./Dialog";
import type { Answer } from "./useNotices";

interface CreateFormProps<Typed, Data> {
  readonly action: string; // text of the button that creates
  readonly draft: string; // name under which the tab keeps what is typed
  readonly nothing: Typed; // before anything is typed
  readonly isComplete: (typed: Typed) => boolean;
  readonly create: (typed: Typed) => Promise<Answer<Data>>;
  readonly onClose: () => void;
  readonly onCreated: (data: Data) => void;
  readonly children: (typed: Typed, put: (part: Partial<Typed>) => void) => ReactNode; // the fields
}

interface CreateDialogProps<Typed, Data> extends CreateFormProps<Typed, Data> {
  readonly opened: boolean;
  readonly title: string;
  readonly size?: string;
}

/** The dialog that creates something; what is typed stays until it is created. */
export function CreateDialog<Typed extends object, Data>({
  opened,
  title,
  size = "md",
  ...form
}: CreateDialogProps<Typed, Data>) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={title} size={size}>
      <CreateForm {...form} />
    </Dialog>
  );
}

function CreateForm<Typed extends object, Data>(props: CreateFormProps<Typed, Data>) {
  const { action, isComplete, create, onClose, onCreated, children } = props;
  const [typed, setTyped, , clearSent] = useDraft(props.draft, props.nothing);
  const [refusal, setRefusal] = useState<string>(); // of what was sent last, until something else is typed
  const [isBusy, setBusy] = useState(false);
  const put = (part: Partial<Typed>) => {
    setRefusal(undefined);
    setTyped((now) => ({ ...now, ...part }));
  };
  const send = async () => {
    setBusy(true);
    const { data, error } = await create(typed);
    setBusy(false);
    if (data === undefined) {
      setRefusal(reasonOf(error));
      return;
    }
    onCreated(data);
    if (clearSent(typed)) onClose(); // else something was typed meanwhile
  };
  return (
    <DialogForm
      action={action}
      isBusy={isBusy}
      isDisabled={!isComplete(typed)}
      refusal={refusal}
      onCancel={onClose}
      onSubmit={() => void send()}
    >
      {children(typed, put)}
    </DialogForm>
  );
}
