import { expect, test } from "vitest";
import type { OriginNode } from "../api";
import { conditionWords, howWords, leadWords, opensByItself } from "./originWords";

const NODE: OriginNode = {
  kind: "written",
  role: "operand",
  text: "total",
  value: "3",
  time: 5,
  read: 9,
  call: 2,
  function: "main",
  line: 4,
  source: "1 + 2",
  code: "total = 1 + 2",
  taken: null,
  note: "",
};
const TEST: OriginNode = { ...NODE, kind: "condition", role: "condition", text: "if total > 2", taken: true };

test("a test says how it came out", () => {
  expect(conditionWords(TEST)).toBe("was true");
  expect(conditionWords({ ...TEST, taken: false })).toBe("was false");
  expect(conditionWords({ ...TEST, text: "for x in xs", taken: false })).toBe("had no more elements");
  expect(conditionWords({ ...TEST, text: "except KeyError", value: "KeyError('a')" })).toBe("caught KeyError('a')");
});

test("what kept a value is told apart from why a line ran", () => {
  expect(leadWords(TEST)).toBe("because");
  expect(leadWords({ ...TEST, role: "kept" })).toBe("not changed later, as");
  expect(leadWords({ ...NODE, role: "key" })).toBe("at");
  expect(leadWords(NODE)).toBe("");
});

test("what was only written needs no word", () => {
  expect(howWords(NODE)).toBe("");
  expect(howWords({ ...NODE, kind: "passed" })).toBe("passed");
});

test("operands of the first expression and copies are open, tests are not", () => {
  expect(opensByItself(NODE, 1, false)).toBe(true);
  expect(opensByItself(NODE, 2, false)).toBe(false);
  expect(opensByItself(NODE, 2, true)).toBe(true);
  expect(opensByItself(TEST, 1, true)).toBe(false);
});
