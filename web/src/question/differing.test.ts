import { expect, test } from "vitest";
import { differing } from "./differing";

test("what both texts begin and end with is not marked", () => {
  expect(differing("[1, 2, 3]", "[1, 5, 3]")).toEqual([
    ["[1, ", "2", ", 3]"],
    ["[1, ", "5", ", 3]"],
  ]);
});

test("numbers and names are marked as a whole", () => {
  expect(differing("total = 1250", "total = 1350")).toEqual([
    ["total = ", "1250", ""],
    ["total = ", "1350", ""],
  ]);
});

test("what only one of them has is marked there", () => {
  expect(differing("[1]", "[1, 2]")).toEqual([
    ["[1", "", "]"],
    ["[1", ", 2", "]"],
  ]);
  expect(differing("", "x")).toEqual([
    ["", "", ""],
    ["", "x", ""],
  ]);
});

test("the parts make up the texts", () => {
  const texts = ["", "a", "aa", "ab", "ba", "[1, 12]", "[12, 1]", "😀a", "😀b"];
  for (const one of texts)
    for (const other of texts) {
      const [left, right] = differing(one, other);
      expect(left.join("")).toBe(one);
      expect(right.join("")).toBe(other);
    }
});
