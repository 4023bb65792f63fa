import { describe, expect, it } from "vitest";
import { expanded, readGraph, writeGraph } from "./address";

describe("the address of a graph", () => {
  it("says everything that is drawn, and keeps what is not of the graph", () => {
    const search = new URLSearchParams(
      "workspace=ws_1&from=ent_1&from=mem_2%7EMENTIONS&way=ent_1%7Eent_2&node=ent_1&hide=mem_3&without=chunk&asof=2026-01-05",
    );
    const graph = readGraph(search);

    expect(graph).toEqual({
      expansions: [
        { id: "ent_1", type: null },
        { id: "mem_2", type: "MENTIONS" },
      ],
      ways: [["ent_1", "ent_2"]],
      selected: "ent_1",
      hiddenIds: ["mem_3"],
      hiddenKinds: ["CHUNK"],
      asOf: "2026-01-05",
    });
    expect(writeGraph(graph, search).toString()).toBe(search.toString());
  });

  it("takes no day and no way that is none", () => {
    expect(readGraph(new URLSearchParams("asof=soon&way=ent_1&without=nothing"))).toMatchObject({
      asOf: "",
      ways: [],
      hiddenKinds: [],
    });
  });
});

it("expands a node once, by any type instead of by one", () => {
  const one = expanded([], "ent_1", "MENTIONS");

  expect(expanded(one, "ent_1", "MENTIONS")).toEqual(one);
  expect(expanded(one, "ent_1", "KNOWS")).toHaveLength(2);
  expect(expanded(one, "ent_1", null)).toEqual([{ id: "ent_1", type: null }]);
  expect(expanded([{ id: "ent_1", type: null }], "ent_1", "KNOWS")).toEqual([{ id: "ent_1", type: null }]);
});
