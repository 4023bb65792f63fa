import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNotices } from "../shell/useNotices";

interface Found {
  readonly working: boolean;
  readonly error?: string | null | undefined;
}

interface TestButtonProps<Result extends Found> {
  readonly isDisabled?: boolean;
  readonly ask: () => Promise<Result | undefined>; // undefined: the server refused, which was said
  readonly toldOf: (found: Result) => string; // where it works
  readonly onDone?: () => void;
}

/** A button that tries a part of the engine out, and says whether it works. */
export function TestButton<Result extends Found>({
  isDisabled,
  ask,
  toldOf,
  onDone,
}: TestButtonProps<Result>) {
  const { t } = useTranslation();
  const { say, refuse } = useNotices();
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    const found = await ask();
    setBusy(false);
    if (found === undefined) return;
    if (found.working) say(toldOf(found));
    else refuse(found.error ?? t("health.silent"));
    onDone?.();
  };
  return (
    <Button variant="default" loading={isBusy} disabled={isDisabled ?? false} onClick={() => void test()}>
      {t("engine.test")}
    </Button>
  );
}
