import { describe, expect, it } from "vitest";
import type { Value } from "../api";
import { type Candidate, gains, keyOf, unfolded } from "./unfolding";

function list(label: string, summary: string, parts: Value[] = [], size = parts.length): Value {
  return { label, summary, type: "list", object: 1, size, repeated: false, parts, bookkeeping: false, is_long: false };
}

const plain: Value = { ...list("[0]", "1"), object: 0, size: 0 };

function shown(...values: Value[]): Candidate[] {
  return values.map((value) => ({
    key: keyOf("input", value.label),
    value,
    path: value.label,
    side: "input",
  }));
}

describe("what is unfolded by itself", () => {
  it("is what a line leaves out", () => {
    expect(gains(list("a", "[1, …]", [plain]))).toBe(true);
    expect(gains(list("a", "[1]", [plain]))).toBe(false);
    expect(gains(plain)).toBe(false);
    expect(gains(list("a", "[1, …]", [plain], 5000))).toBe(false);
  });

  it("fits into the panel, the first values first", () => {
    const two = shown(list("a", "[…]", [plain, plain, plain]), list("b", "[…]", [plain, plain]));
    expect([...unfolded(two, 9).keys()]).toEqual(["input a", "input b"]);
    expect([...unfolded(two, 8).keys()]).toEqual(["input a"]);
    expect([...unfolded(two, 4).keys()]).toEqual(["input b"]);
    expect([...unfolded(two, 0).keys()]).toEqual([]);
  });

  it("is sections, too, if there is room left", () => {
    const some = shown(list("a", "[…]", [plain, plain]));
    const sections = [
      { key: "section read", rows: 8 },
      { key: "section locals", rows: 3 },
    ];
    expect([...unfolded(some, 15, sections).keys()]).toEqual(["input a", "section read", "section locals"]);
    expect([...unfolded(some, 8, sections).keys()]).toEqual(["input a", "section locals"]);
    expect([...unfolded(some, 3, sections).keys()]).toEqual(["section locals"]);
  });

  it("counts the rows that the line of a value gives back", () => {
    const long = shown(list("a", `[${"1234, ".repeat(30)}…]`, [plain, plain, plain]));
    expect([...unfolded(long, 4).keys()]).toEqual([]);
    expect([...unfolded(long, 4, [], 100).keys()]).toEqual(["input a"]);
  });

  it("is named parts that would make a long line", () => {
    const named = (label: string): Value => ({ ...plain, label, summary: "'a text of some length'" });
    const text = `{${"'key': 'a text of some length', ".repeat(5)}}`;
    expect(gains(list("a", text, [named("['key']")]))).toBe(true);
    expect(gains(list("a", text, [named("[0]")]))).toBe(false);
  });

  it("is a table in as many rows as there is room for", () => {
    const frame = { ...list("a", "DataFrame 90x2 [a, b] …", [], 90), type: "DataFrame" };
    expect(unfolded(shown(frame), 40).get("input a")).toBe(14);
    expect(unfolded(shown(frame), 12).get("input a")).toBe(6);
    expect(unfolded(shown(frame), 8).has("input a")).toBe(false);
    expect(unfolded(shown({ ...frame, size: 2 }), 8).get("input a")).toBe(2);
    expect(unfolded(shown({ ...frame, summary: "a, the same object" }), 40).size).toBe(0);
  });

  it("goes deeper while there is room, the outer levels first", () => {
    const inner = list("[0]", "[…]", [plain, plain]);
    const deep = shown(list("a", "[…]", [inner]), list("b", "[…]", [plain]));
    expect([...unfolded(deep, 10).keys()]).toEqual(["input a", "input b", "input a[0]"]);
    expect([...unfolded(deep, 9).keys()]).toEqual(["input a", "input b"]);
  });
});
