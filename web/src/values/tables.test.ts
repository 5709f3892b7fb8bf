import { expect, test } from "vitest";
import { sortedBy, sortWord, widthsOf } from "./tables";

test("clicks on a head sort up, down, and not at all", () => {
  const up = sortedBy(null, 2);
  expect(sortWord(up)).toBe("ascending");
  const down = sortedBy(up, 2);
  expect(sortWord(down)).toBe("descending");
  expect(sortedBy(down, 2)).toBeNull();
  expect(sortedBy(down, 1)).toEqual({ column: 1, descending: false });
});

test("a column is as wide as what it holds, within limits", () => {
  const heads = [
    { name: "a", dtype: "", step: "" },
    { name: "text", dtype: "", step: "" },
  ];
  const row = { number: 0, label: "0", step: "[0]", cells: ["1", "x".repeat(90)], others: [], new: false };
  const [label, narrow, wide] = widthsOf({ heads, some: [row], known: 1 });
  expect(label).toBe(narrow);
  expect(wide).toBeLessThan(90);
  expect(wide).toBeGreaterThan(narrow ?? 0);
});
