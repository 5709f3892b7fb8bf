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
    expect([...unfolded(two, 9)]).toEqual(["input a", "input b"]);
    expect([...unfolded(two, 8)]).toEqual(["input a"]);
    expect([...unfolded(two, 4)]).toEqual(["input b"]);
    expect([...unfolded(two, 0)]).toEqual([]);
  });

  it("is sections, too, if there is room left", () => {
    const some = shown(list("a", "[…]", [plain, plain]));
    const sections = [
      { key: "section read", rows: 8 },
      { key: "section locals", rows: 3 },
    ];
    expect([...unfolded(some, 15, sections)]).toEqual(["input a", "section read", "section locals"]);
    expect([...unfolded(some, 8, sections)]).toEqual(["input a", "section locals"]);
    expect([...unfolded(some, 3, sections)]).toEqual(["section locals"]);
  });

  it("counts the rows that the line of a value gives back", () => {
    const long = shown(list("a", `[${"1234, ".repeat(30)}…]`, [plain, plain, plain]));
    expect([...unfolded(long, 4)]).toEqual([]);
    expect([...unfolded(long, 4, [], 100)]).toEqual(["input a"]);
  });

  it("goes deeper while there is room, the outer levels first", () => {
    const inner = list("[0]", "[…]", [plain, plain]);
    const deep = shown(list("a", "[…]", [inner]), list("b", "[…]", [plain]));
    expect([...unfolded(deep, 10)]).toEqual(["input a", "input b", "input a[0]"]);
    expect([...unfolded(deep, 9)]).toEqual(["input a", "input b"]);
  });
});
