import { expect, it } from "vitest";
import { changedSettings } from "./changedSettings";

const IN_FORCE = {
  enabled: false,
  maxTokens: 2000,
  retentionDays: 30,
  strategy: "hybrid",
  skillsEnabled: false,
};

it("sends only what was changed, and null where a limit was taken away", () => {
  expect(changedSettings(IN_FORCE, { ...IN_FORCE, enabled: true, retentionDays: null })).toEqual({
    enabled: true,
    retentionDays: null,
  });
  expect(changedSettings(IN_FORCE, IN_FORCE)).toEqual({});
});
