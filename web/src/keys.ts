// The keys of the page. Written by tools/write_keys.py from src/wrongcall/present/key_map.py: don't edit.

/** The key of each command. */
export const KEYS = {
  yes: "y",
  no: "n",
  dontKnow: "d",
  trust: "t",
  trustModule: "T",
  inadmissible: "i",
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

export const HOW_TO_ANSWER =
  "Is the result correct for these arguments? Answer y or n. You don’t need to know how the code works.";
