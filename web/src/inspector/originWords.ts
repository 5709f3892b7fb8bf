// What a node of an origin is called, as the terminal says it.

import type { OriginKind, OriginNode, OriginRole } from "../api";

const LEADS: Partial<Record<OriginRole, string>> = { key: "at", container: "in" };

const HOW: Partial<Record<OriginKind, string>> = {
  passed: "passed",
  returned: "returned",
  yielded: "yielded",
  raised: "raised",
  seen: "first seen",
  removed: "removed",
};

/** Nodes down to this depth are opened if there is no choice between several. */
const DEEPEST_OPENED = 5;

/** What stands before the text of a node. */
export function leadWords({ kind, role }: OriginNode): string {
  if (kind === "called") return "because it was called:";
  if (kind === "condition") return role === "kept" ? "not changed later, as" : "because";
  return LEADS[role] ?? "";
}

/** How a test came out. */
export function conditionWords({ text, taken, value }: OriginNode): string {
  if (text.startsWith("except")) return `caught ${value}`;
  if (/^(async )?for /.test(text)) return taken ? "took another element" : "had no more elements";
  if (text.startsWith("match ")) return "led there";
  return taken ? "was true" : "was false";
}

export function howWords({ kind }: OriginNode): string {
  return HOW[kind] ?? "";
}

/** Whether a node is open without being asked for: a copy of the value, or an operand of the first expression. */
export function opensByItself({ kind, role }: OriginNode, depth: number, alone: boolean): boolean {
  if (kind === "condition" || kind === "called" || role === "container" || role === "key") return false;
  return depth <= 1 || (alone && depth <= DEEPEST_OPENED);
}
