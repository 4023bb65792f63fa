import { expect, it } from "vitest";
import { formatOf, hasSchema } from "./ontologyFile";

it("knows the format of a file by its name", () => {
  expect(["a.ttl", "b.TURTLE", "c.jsonld", "d.json", "e"].map(formatOf)).toEqual([
    "TURTLE",
    "TURTLE",
    "JSON_LD",
    "JSON",
    "JSON",
  ]);
});

it("tells a schema from none", () => {
  expect([hasSchema({ type: "object" }), hasSchema({}), hasSchema(null)]).toEqual([true, false, false]);
});
