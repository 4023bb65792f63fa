import { expect, it } from "vitest";
import { isShare } from "./metricNames";

it("writes only built-in rates in percent", () => {
  expect(["success_rate", "mean_latency_ms", "own_rate"].map(isShare)).toEqual([true, false, false]);
});
