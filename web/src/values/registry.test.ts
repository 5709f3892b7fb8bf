import { describe, expect, it } from "vitest";
import type { Change } from "../api";
import { canOpenChange, changeViewsOf, VIEWS, viewsOf } from "./registry";

const change: Change = {
  kind: "changed",
  place: "text",
  old: "'a'",
  new: "'b'",
  origin: "",
  object: 0,
  became: 0,
  runs: [],
  times: 1,
  more: 0,
  within: "",
  sides: null,
  text: null,
};
const sides = { before: 1, after: 9, old: 0, new: 0, holder: 0, owner: 3, step: "text" };

describe("the views of a value", () => {
  it("are those that the server names, the preferred ones first", () => {
    expect(viewsOf(["image", "table"]).map(({ name }) => name)).toEqual(["table", "image"]);
    expect(viewsOf([])).toEqual([]);
    expect(VIEWS.filter(({ preferred }) => preferred)).toHaveLength(1);
  });
});

describe("the views of a change", () => {
  it("compare both sides if there is something to compare", () => {
    expect(changeViewsOf(change)).toEqual([]);
    expect(changeViewsOf({ ...change, sides }).map(({ name }) => name)).toEqual(["sides"]);
  });
  it("show a long text, too", () => {
    expect(changeViewsOf({ ...change, text: sides }).map(({ name }) => name)).toEqual(["text"]);
    expect(changeViewsOf({ ...change, sides, text: sides }).map(({ name }) => name)).toEqual(["sides", "text"]);
  });
  it("open a change of plain values only if it has sides", () => {
    expect(canOpenChange(change)).toBe(false);
    expect(canOpenChange({ ...change, sides })).toBe(true);
    expect(canOpenChange({ ...change, became: 7 })).toBe(true);
  });
});
