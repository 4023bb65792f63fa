import { expect, it } from "vitest";
import type { WorkspaceRowFragment } from "../../generated/operations";
import { workspaceChoices } from "./workspaceChoices";

const named = (...names: string[]): WorkspaceRowFragment[] =>
  names.map((name) => ({ id: `id-${name}`, name, isDefault: false, memoryCount: 0 }));
const namesFor = (text: string, found: string[] = []) =>
  workspaceChoices(named("Alpha", "Beta", "Alphabet"), named(...found), text).map((each) => each.name);

it("offers what the server listed until something is typed", () => {
  expect(namesFor("")).toEqual(["Alpha", "Beta", "Alphabet"]);
});

it("offers those with what is typed in their name, and the one of that id", () => {
  expect(namesFor(" alpha")).toEqual(["Alpha", "Alphabet"]);
  expect(namesFor("id-Beta")).toEqual(["Beta"]);
});

it("offers what was found beyond those listed, each once", () => {
  expect(namesFor("Zeta", ["Zeta"])).toEqual(["Zeta"]);
  expect(namesFor("Beta", ["Beta"])).toEqual(["Beta"]);
});
