import type { SettingsInForceQuery, UpdateSettingsInput } from "../../generated/operations";

/** The settings that the form shows. */
export type EditedSettings = Pick<
  SettingsInForceQuery["settings"],
  "enabled" | "maxTokens" | "retentionDays" | "strategy" | "skillsEnabled"
>;

/** Return what differs from the settings in force. */
export function changedSettings(inForce: EditedSettings, draft: EditedSettings): UpdateSettingsInput {
  const names = ["enabled", "maxTokens", "retentionDays", "strategy", "skillsEnabled"] as const;
  return Object.fromEntries(
    names.filter((name) => inForce[name] !== draft[name]).map((name) => [name, draft[name]]),
  );
}
