import { expect, it } from "vitest";
import { gathered } from "./gathering";

it("keeps what some requests find where others fail", async () => {
  const asked = [Promise.resolve(1), Promise.reject(new Error("gone")), Promise.resolve(2)];

  expect(await gathered(asked)).toEqual({ found: [1, 2], reasons: ["gone"] });
});
