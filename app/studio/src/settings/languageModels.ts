import type { LanguageModelInput, OwnModelFragment } from "../../generated/operations";

export type OwnModel = OwnModelFragment;

/** What stands in the form. */
export interface TypedModel {
  readonly url: string;
  readonly model: string;
  readonly key: string; // empty: the stored one
  readonly isKeyless: boolean; // the stored one is to be forgotten
}

const bare = (url: string) => url.trim().replace(/\/+$/, "");

/** Return what is sent: the key only where one was typed, null where the stored one is to be forgotten. */
export function modelInput({ url, model, key, isKeyless }: TypedModel): LanguageModelInput {
  const sent = { url: url.trim(), model: model.trim() };
  if (isKeyless) return { ...sent, key: null };
  return key === "" ? sent : { ...sent, key };
}

export function isModelChanged(own: OwnModel | null, typed: TypedModel): boolean {
  const isSame = typed.url === (own?.url ?? "") && typed.model === (own?.model ?? "");
  return !isSame || typed.key !== "" || typed.isKeyless;
}

/** Return whether the stored key would go, because it is that of another address. */
export function isKeyDropped(own: OwnModel | null, { url, key, isKeyless }: TypedModel): boolean {
  return own?.hasKey === true && key === "" && !isKeyless && bare(url) !== own.url;
}
