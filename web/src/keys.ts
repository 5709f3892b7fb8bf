// The keys of the page, the texts of its buttons, and the parts of a question. Written by tools/write_keys.py from
// src/wrongcall/present/key_map.py and question_parts.py: don't edit.

import type { Verdict } from "./api";

/** The key of each command. */
export const KEYS = {
  yes: "y",
  no: "n",
  dontKnow: "d",
  trust: "t",
  trustModule: "T",
  inadmissible: "i",
  inside: "I",
  found: "f",
  part: "p",
  expected: "e",
  undo: "u",
  why: "w",
  steps: "m",
  next: ".",
  previous: ",",
  nextChange: "]",
  previousChange: "[",
  history: "h",
  origin: "o",
  examine: "x",
  output: "O",
  search: "/",
  back: "g",
  help: "?",
} as const;

/** What each key does, in the order of the help. */
export const KEY_HELP: [key: string, does: string][] = [
  ["y", "right: the result is correct for these arguments"],
  ["n", "wrong: it should have done something else"],
  ["d", "don’t know: ask about other calls"],
  ["t", "trust this function: stop asking about its calls"],
  ["T", "trust every function in this module"],
  ["i", "invalid call: it should never have been called with these arguments"],
  ["I", "wrong; search inside this call now"],
  ["f", "inside a call: stop there, and show the call"],
  ["p", "the picked part is wrong"],
  ["e", "wrong; enter what would have been right"],
  ["u", "undo the last answer"],
  ["w", "why this question is asked, and how many are left"],
  ["m", "step through this call"],
  [".", "the next step"],
  [",", "the previous step"],
  ["]", "the next change of the picked value"],
  ["[", "its previous change"],
  ["h", "every value that the picked place had"],
  ["o", "where the picked value came from"],
  ["x", "show the variables with their parts"],
  ["O", "what the program printed"],
  ["/", "search the calls"],
  ["g", "back to the question"],
  ["?", "this help"],
];

/** The texts of buttons beside a question. */
export const BUTTONS = {
  inside: "Search inside",
  found: "Stop at the call",
  undo: "Undo the last answer",
  why: "Why this question?",
  history: "History",
  origin: "Where from?",
  back: "Back to the question",
} as const;

/** The same, of decisions about a finding. */
export const FINDING_BUTTONS = {
  yes: "That is it",
  no: "It is not",
  another: "Find another bug",
} as const;

/** The answers to a question, in the order of their buttons. */
export const ANSWERS: { verdict: Verdict; key: string; text: string }[] = [
  { verdict: "right", key: "y", text: "Right" },
  { verdict: "wrong", key: "n", text: "Wrong" },
  { verdict: "dont_know", key: "d", text: "Don’t know" },
];

/** Those that are shown on demand. */
export const MORE_ANSWERS: { verdict: Verdict; key: string; text: string }[] = [
  { verdict: "trust_function", key: "t", text: "Trust function" },
  { verdict: "trust_module", key: "T", text: "Trust module" },
  { verdict: "inadmissible", key: "i", text: "Invalid call" },
];

/** What was said with a verdict. */
export const SAID: Record<Verdict, string> = {
  right: "right",
  wrong: "wrong",
  dont_know: "don’t know",
  trust_function: "trust function",
  trust_module: "trust module",
  inadmissible: "invalid call",
  wrong_part: "this part is wrong",
};

/** Names and titles, in the order in which they are shown. */
export const QUESTION_PARTS = {
  given: "Given",
  outcome: "Outcome",
  variables: "Variables",
  yielded: "Yielded",
  defined: "Defined",
  changed: "Changed",
  printed: "Printed",
  meanwhile: "Meanwhile, by others",
  started: "Started",
  read: "Read",
  constants: "Constants",
  missing: "Missing",
  locals: "Local variables",
} as const;

export type QuestionPart = keyof typeof QUESTION_PARTS;

/** Names and titles, in the order in which they are shown. */
export const GROUP_PARTS = {
  changed: "Changed, all together",
  printed: "Printed",
  started: "Started",
  meanwhile: "Meanwhile, by others",
  calls: "Calls",
} as const;

export type GroupPart = keyof typeof GROUP_PARTS;

export const HOW_TO_ANSWER =
  "Is the result correct for these arguments? Answer y or n. You don’t need to know how the code works.";
