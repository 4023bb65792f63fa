import { expect, test } from "vitest";
import { around } from "./around";

const MESSAGES = ["a", "b", "c", "d", "e", "f"].map((messageId) => ({ messageId }));
const idsAround = (id: string | null) => around(MESSAGES, id)?.map(({ messageId }) => messageId);

test("a memory is shown with what was said around it, or with the beginning where it comes from all of it", () => {
  expect(idsAround("d")).toEqual(["b", "c", "d", "e", "f"]);
  expect(idsAround("a")).toEqual(["a", "b", "c"]);
  expect(idsAround(null)).toEqual(["a", "b"]);
});

test("a message that is not there is not taken for another", () => {
  expect(idsAround("z")).toBeUndefined();
});
