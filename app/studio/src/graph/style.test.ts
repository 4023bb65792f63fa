import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { edgeColour, KINDS, LOOKS, shortCaption } from "./style";

const grass = readFileSync(new URL("../../../../cypher/browser/style.grass", import.meta.url), "utf8");
const blockOf = (selector: string) =>
  new RegExp(`^${selector.replace(".", "\\.")} \\{([^}]*)\\}`, "m").exec(grass)?.[1] ?? "";

it("draws nodes and edges as Neo4j Browser does", () => {
  for (const kind of KINDS) {
    const { label, color, diameter } = LOOKS[kind];
    expect(blockOf(`node.${label}`)).toContain(`color: ${color};`);
    expect(blockOf(`node.${label}`)).toContain(`diameter: ${diameter}px;`);
  }
  for (const type of [...grass.matchAll(/^relationship\.(\w+)/gm)].map((found) => found[1] ?? ""))
    expect(blockOf(`relationship.${type}`)).toContain(`color: ${edgeColour(type)};`);
  expect(blockOf("relationship")).toContain(`color: ${edgeColour("WORKS_WITH")};`);
});

it("writes the beginning of a long text, without lines", () => {
  expect(shortCaption("Bob")).toBe("Bob");
  expect(shortCaption("Releases are cut\non Thursdays at ten, in Bern")).toBe(
    "Releases are cut on Thursdays a…",
  );
});
