import { expect, it } from "vitest";
import { Turns } from "./turns";

it("does what was asked for last last, and says which that was", async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const done: string[] = [];
  const take = async (name: string, result: string, ms: number) => {
    const turn = await turns.take(name, async () => {
      begun.push(result);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return result;
    });
    done.push(turn.result);
    return turn;
  };

  const taken = await Promise.all([take("a", "on", 20), take("a", "off", 0), take("b", "other", 0)]);

  expect(taken).toEqual([
    { result: "on", isLast: false },
    { result: "off", isLast: true },
    { result: "other", isLast: true },
  ]);
  expect(begun).toEqual(["on", "other", "off"]);
  expect(done).toEqual(["other", "on", "off"]);
  expect(turns.isWaiting("a")).toBe(false);
});
