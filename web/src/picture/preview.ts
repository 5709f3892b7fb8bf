// What an answer would rule out.

import type { Question, Verdict } from "../api";

/** Whether an answer to a question takes a node out of the suspects. */
export function isGone(verdict: Verdict, question: Question, { node, end }: { node: number; end: number }): boolean {
  const inside = question.parts.some(([first, last]) => first <= node && end <= last);
  // What is not confirmed together is asked about one by one.
  if (question.confirms) return verdict === "right" && inside;
  if (verdict === "right" || verdict === "inadmissible") return inside;
  if (verdict === "wrong" || verdict === "wrong_part") return !inside;
  return verdict === "dont_know" && node === question.node;
}
