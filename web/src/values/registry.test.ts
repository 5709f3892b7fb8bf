import { describe, expect, it } from "vitest";
import type { Value } from "../api";
import { type ValueView, viewsOf } from "./registry";

const value: Value = {
  label: "rows",
  summary: "[…]",
  type: "list",
  object: 7,
  size: 3,
  repeated: false,
  parts: [],
  bookkeeping: false,
};

function view(name: string, type: string, preferred: boolean): ValueView {
  return {
    name,
    label: name,
    preferred,
    fits: (of) => of.type === type,
    load: () => Promise.reject(new Error("it is not shown")),
  };
}

describe("the views of a value", () => {
  it("are those that fit it, the preferred ones first", () => {
    const views = [view("text", "str", true), view("chart", "list", false), view("grid", "list", true)];
    expect(viewsOf(value, views).map(({ name }) => name)).toEqual(["grid", "chart"]);
  });
});
