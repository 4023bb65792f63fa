import { describe, expect, it } from "vitest";
import { isKeyDropped, isModelChanged, modelInput } from "./languageModels";

const OWN = { url: "https://llm.example/v1", model: "small", hasKey: true };
const TYPED = { url: OWN.url, model: OWN.model, key: "", isKeyless: false };

describe("a language model that is chosen", () => {
  it("keeps the stored key unless one is typed or it is to be forgotten", () => {
    expect(modelInput({ ...TYPED, url: ` ${OWN.url} ` })).toEqual({ url: OWN.url, model: OWN.model });
    expect(modelInput({ ...TYPED, key: "sk-1" })).toHaveProperty("key", "sk-1");
    expect(modelInput({ ...TYPED, isKeyless: true })).toHaveProperty("key", null);
  });

  it("is saved where something is typed", () => {
    expect(isModelChanged(OWN, TYPED)).toBe(false);
    expect(isModelChanged(OWN, { ...TYPED, model: "large" })).toBe(true);
    expect(isModelChanged(OWN, { ...TYPED, key: "sk-1" })).toBe(true);
    expect(isModelChanged(null, { ...TYPED, url: "", model: "" })).toBe(false);
  });

  it("loses its key with its address, and says so", () => {
    expect(isKeyDropped(OWN, { ...TYPED, url: `${OWN.url}/` })).toBe(false);
    expect(isKeyDropped(OWN, { ...TYPED, url: "https://other.example/v1" })).toBe(true);
    expect(isKeyDropped(OWN, { ...TYPED, url: "https://other.example/v1", key: "sk-1" })).toBe(false);
    expect(isKeyDropped({ ...OWN, hasKey: false }, { ...TYPED, url: "https://other.example/v1" })).toBe(
      false,
    );
  });
});
