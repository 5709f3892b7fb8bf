// Small signs that are used everywhere: shades, keys, links to calls.

import type { ReactNode } from "react";
import type { Shade } from "./api";

/** A sign for each shade: never colour alone. */
export const SIGNS: Record<Shade, string> = {
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

const WORDS: Record<Shade, string> = {
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

export function ShadeSign({ shade }: { shade: Shade }) {
  return (
    <span className={`sign ${shade}`} role="img" aria-label={WORDS[shade]} title={WORDS[shade]}>
      {SIGNS[shade]}
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
