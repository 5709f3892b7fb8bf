import { describe, expect, it } from "vitest";
import type { GraphEdge, GraphNode } from "../api";
import { edgeCurve, leads, stepFrom } from "./graphs";

const node = (object: number, x: number, y: number): GraphNode => ({
  object,
  title: "Node",
  path: "",
  fields: [],
  more: 0,
  here: true,
  state: "same",
  x,
  y,
  width: 50,
  height: 20,
});
const edge = (source: number, target: number): GraphEdge => ({ source, target, label: ".next", state: "same" });
const graph = {
  nodes: [node(1, 0, 20), node(2, 100, 0), node(3, 100, 40), node(4, 100, 80)],
  edges: [edge(0, 0), edge(0, 1), edge(0, 2), edge(2, 3), edge(2, 0)],
};

describe("arrow keys in a graph", () => {
  it("follow an arrow on and back, never to the same box", () => {
    expect(stepFrom(graph, 0, "on")).toBe(1);
    expect(stepFrom(graph, 3, "back")).toBe(2);
    expect(stepFrom(graph, 1, "on")).toBeUndefined();
  });
  it("go up and down in a column, to the nearest", () => {
    expect(stepFrom(graph, 1, "down")).toBe(2);
    expect(stepFrom(graph, 3, "up")).toBe(2);
    expect(stepFrom(graph, 0, "up")).toBeUndefined();
  });
});

describe("arrows", () => {
  it("begin and end at their boxes", () => {
    expect(edgeCurve(graph, edge(0, 1)).path).toMatch(/^M50 30 C.* 100 10$/);
    expect(edgeCurve(graph, edge(2, 0)).path).toMatch(/^M125 60 C.* 25 40$/);
  });
  it("are found by their source", () => {
    expect(leads(graph, 2).map(({ target }) => target)).toEqual([3, 0]);
  });
});
