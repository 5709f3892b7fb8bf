import { describe, expect, it } from "vitest";
import { ANY, isOpen, newTree, type TreeAction, type TreeState, treeReducer, wantedRows, withOpen } from "./outline";

const after = (calls: number, ...actions: TreeAction[]): TreeState => actions.reduce(treeReducer, newTree(calls));

describe("the outline", () => {
  it("of a small tree is open, that of a large one is closed", () => {
    expect(isOpen(newTree(10).outline, "1")).toBe(true);
    expect(isOpen(newTree(1_000_000).outline, "1")).toBe(false);
  });

  it("opens and closes single nodes, and asks the server for the same", () => {
    const small = after(10, { type: "toggled", key: "3" }).outline;
    expect([isOpen(small, "3"), isOpen(small, "4")]).toEqual([false, true]);
    expect(wantedRows(small, ANY)).toMatchObject({ open: null, closed: ["3"] });
    const large = after(1000, { type: "toggled", key: "3" }).outline;
    expect([isOpen(large, "3"), isOpen(large, "4")]).toEqual([true, false]);
    expect(wantedRows(large, ANY)).toMatchObject({ open: ["3"], closed: [] });
    expect(isOpen(after(10, { type: "toggled", key: "3" }, { type: "toggled", key: "3" }).outline, "3")).toBe(true);
  });

  it("opens callers, and is the same one if they are open", () => {
    const { outline } = newTree(1000);
    const opened = withOpen(outline, ["1", "2"]);
    expect([isOpen(opened, "1"), isOpen(opened, "2"), isOpen(opened, "3")]).toEqual([true, true, false]);
    expect(withOpen(opened, ["1"])).toBe(opened);
  });
});

describe("the search", () => {
  it("is by function, or by value", () => {
    const { outline } = newTree(10);
    expect(wantedRows(outline, { text: "merge", status: "" })).toMatchObject({ function: "merge", value: "" });
    expect(wantedRows(outline, { text: "=[1, 2]", status: "" })).toMatchObject({ function: "", value: "[1, 2]" });
  });

  it("for a value goes on slice by slice until all calls were looked at", () => {
    const counted = (looked: number): TreeAction => ({
      type: "counted",
      size: { of: null, count: 1, looked, candidates: 100 },
    });
    expect(after(10, counted(40)).slice).toBe(40);
    expect(after(10, counted(40), counted(100)).slice).toBe(40);
  });

  it("starts at the first row", () => {
    expect(after(10, { type: "moved", index: 5 }, { type: "typed", text: "m" }).active).toBe(0);
  });
});
