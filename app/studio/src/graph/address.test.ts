import { describe, expect, it } from "vitest";
import { expanded, hiddenWith, readGraph, writeGraph } from "./address";
import { marksOf, NO_MARKS } from "./marks";

describe("the address of a graph", () => {
  it("says everything that is drawn, and keeps what is not of the graph", () => {
    const search = new URLSearchParams(
      "workspace=ws_1&from=ent_1&from=mem_2%7EMENTIONS&way=ent_1%7Eent_2&node=ent_1&hide=mem_3&without=chunk&asof=2026-01-05",
    );
    const graph = readGraph({ search, hash: "" });

    expect(graph).toEqual({
      expansions: [
        { id: "ent_1", type: null },
        { id: "mem_2", type: "MENTIONS" },
      ],
      ways: [["ent_1", "ent_2"]],
      selected: "ent_1",
      hiddenIds: ["mem_3"],
      hiddenMarks: NO_MARKS,
      chosenMarks: NO_MARKS,
      hiddenKinds: ["CHUNK"],
      asOf: "2026-01-05",
      isWhole: true,
    });
    const place = writeGraph(graph, search);
    expect([place.search.toString(), place.hash]).toEqual([search.toString(), ""]);
  });

  it("holds sets of many nodes behind the part that servers see, and tells when it was cut", () => {
    const search = new URLSearchParams("from=ent_1");
    const graph = readGraph({ search, hash: "" });
    const many = Array.from({ length: 3000 }, (_, place) => `ent_${place}`);
    const hidden = { ...graph, ...hiddenWith(graph, many), chosenMarks: marksOf(["ent_1"]) };
    const place = writeGraph(hidden, search);

    expect(place.search.toString()).toBe("from=ent_1");
    expect(readGraph(place)).toEqual(hidden);
    expect(readGraph({ search, hash: place.hash.slice(0, 4000) }).isWhole).toBe(false);
  });

  it("takes no day and no way that is none", () => {
    expect(
      readGraph({ search: new URLSearchParams("asof=soon&way=ent_1&without=nothing"), hash: "" }),
    ).toMatchObject({
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

it("hides up to 200 nodes by their ids, and more by marks", () => {
  const ids = Array.from({ length: 200 }, (_, place) => `ent_${place}`);
  const few = hiddenWith({ hiddenIds: ["ent_1"], hiddenMarks: NO_MARKS }, ids);
  const many = hiddenWith(few, ["mem_1"]);

  expect(new Set(few.hiddenIds)).toEqual(new Set(ids));
  expect(many).toEqual({ hiddenIds: [], hiddenMarks: marksOf([...ids, "mem_1"]) });
  expect(hiddenWith(many, ["mem_2"]).hiddenMarks.size).toBe(202);
});
