// Small parts that are used everywhere: signs, keys, states of a panel, counts.

import type { ReactNode } from "react";
import type { NodeStatus } from "../api";

/** A sign for each status: colour is never the only difference. */
export const SIGNS: Record<NodeStatus, string> = {
  right: "✓",
  wrong: "✗",
  trusted: "◇",
  unknown: "?",
  inadmissible: "⊘",
  explained: "≈",
  suspect: "●",
  cleared: "·",
  running: "◌",
};

const WORDS: Record<NodeStatus, string> = {
  right: "judged right",
  wrong: "judged wrong",
  trusted: "trusted",
  unknown: "undecided",
  inadmissible: "invalid call",
  explained: "wrong because of a bug found earlier",
  suspect: "suspect",
  cleared: "cleared",
  running: "still running",
};

export function StatusSign({ status }: { status: NodeStatus }) {
  return (
    <span className={`sign ${status}`} role="img" aria-label={WORDS[status]} title={WORDS[status]}>
      {SIGNS[status]}
    </span>
  );
}

export function Key({ children }: { children: string }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd is not focusable
  return <kbd aria-hidden="true">{children}</kbd>;
}

export function State({ children, kind = "empty" }: { children: ReactNode; kind?: "empty" | "error" | "loading" }) {
  return (
    <div className={`state ${kind}`} role={kind === "error" ? "alert" : "status"}>
      {kind === "loading" && <span className="spinner" aria-hidden="true" />}
      {children}
    </div>
  );
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
