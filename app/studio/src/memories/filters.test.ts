import { afterEach, describe, expect, it } from "vitest";
import {
  countFilters,
  dayOf,
  NO_FILTERS,
  readFilters,
  startOf,
  toMemoryFilter,
  writeFilters,
} from "./filters";

describe("filters in the address", () => {
  it("are read as they were written", () => {
    const filters = {
      text: "tabs & spaces",
      types: ["PREFERENCE", "STYLE"],
      kinds: ["FACTUAL"],
      tags: ["team:ada", "a,b"],
      sources: ["user"],
      minImportance: 0.4,
      since: "2026-03-01",
      until: "2026-03-02",
      order: "IMPORTANCE",
    } as const;

    expect(readFilters(writeFilters(filters, new URLSearchParams()))).toEqual(filters);
  });

  it("leave the other parameters as they are", () => {
    const search = writeFilters(
      { ...NO_FILTERS, text: "x" },
      new URLSearchParams("memory=mem_1&q=old&type=style"),
    );

    expect(search.toString()).toBe("memory=mem_1&q=x");
  });

  it("are nothing where the address names what there is not", () => {
    const search = new URLSearchParams(
      "type=nonsense&order=nonsense&importance=7&since=yesterday&until=2026-13-01",
    );

    expect(readFilters(search)).toEqual(NO_FILTERS);
  });
});

describe("what the server is asked", () => {
  it("has nothing that was not chosen", () => {
    expect(toMemoryFilter({ ...NO_FILTERS, text: "  " })).toEqual({});
  });

  it("includes the last day", () => {
    const { since, until } = toMemoryFilter({ ...NO_FILTERS, since: "2026-03-01", until: "2026-03-01" });

    expect(new Date(until ?? "").getTime() - new Date(since ?? "").getTime()).toBe(86_400_000);
  });

  it("asks for all of the tags", () => {
    expect(toMemoryFilter({ ...NO_FILTERS, tags: ["a", "b"] })).toEqual({ allTags: ["a", "b"] });
  });
});

it("counts only what is behind the button", () => {
  expect(
    countFilters({ ...NO_FILTERS, text: "x", types: ["STYLE"], tags: ["a", "b"], since: "2026-03-01" }),
  ).toBe(3);
});

describe("a day", () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each(["Asia/Shanghai", "Europe/Zurich", "UTC", "America/Los_Angeles"])(
    "is shown as it was chosen, wherever the browser is: %s",
    (where) => {
      process.env.TZ = where;

      expect(dayOf(startOf("2026-03-09"))).toBe("2026-03-09");
    },
  );
});
