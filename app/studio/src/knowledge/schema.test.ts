import { expect, it } from "vitest";
import { hasSchema } from "./schema";

it("tells a schema from none", () => {
  expect([hasSchema({ type: "object" }), hasSchema({}), hasSchema(null)]).toEqual([true, false, false]);
});
