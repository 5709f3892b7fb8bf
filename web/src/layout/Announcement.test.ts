import { expect, test } from "vitest";
import type { Finding, Question } from "../api";
import { announced } from "./Announcement";

const CALL = { title: "merge(left=[1])", outcome: "returned", produced: { summary: "[1]" } };
const QUESTION = { kind: "question", calls: 1, call: CALL, inside: null, why: { left: "about 3 questions left" } };

test("a question is said with the call, its outcome and how many are left", () => {
  expect(announced(QUESTION as unknown as Question)).toBe(
    "Is this call right? merge(left=[1]) returned [1]. About 3 questions left.",
  );
});

test("of a group, the number of calls is said", () => {
  const group = { ...QUESTION, calls: 4, why: null };
  expect(announced(group as unknown as Question)).toBe("Are these 4 calls right? The first is merge(left=[1]).");
});

test("source is said without the backticks around it", () => {
  const inside = { ...QUESTION, why: null, inside: { heading: "Line 7: `x = 1`" } };
  expect(announced(inside as unknown as Question)).toBe("Line 7: x = 1. Is everything right up to here?");
  const found = { kind: "finding", headline: "The bug is in `f`", statement: null, summary: "It is wrong." };
  expect(announced(found as unknown as Finding)).toBe("The bug is in f. It is wrong.");
});

test("an end without a finding is said, too", () => {
  expect(announced({ kind: "no_bug", undecided: [] })).toContain("no call is wrong");
  expect(announced({ kind: "needs_more_tree", undecided: [] })).toContain("waiting");
  expect(announced({ kind: "contradiction", answers: [] })).toContain("contradict");
});
