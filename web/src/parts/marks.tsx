// Small parts that are used everywhere: signs, keys, states of a panel, counts.

import type { ReactNode } from "react";
import type { NodeStatus } from "../api";
import { cx } from "./cx";
import styles from "./parts.module.css";

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

export const WORDS: Record<NodeStatus, string> = {
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
    <span
      className={cx(styles.sign, styles[status])}
      data-testid="sign"
      role="img"
      aria-label={WORDS[status]}
      title={WORDS[status]}
    >
      {SIGNS[status]}
    </span>
  );
}

export function Key({ children }: { children: string }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd is not focusable
  return <kbd aria-hidden="true">{children}</kbd>;
}

interface StateProps {
  children: ReactNode;
  kind?: "empty" | "error" | "loading";
  /** It stands for a whole panel. */
  framed?: boolean;
}

/** What is shown instead of something: that it is loading, that there is nothing, or why it cannot be shown. */
export function State({ children, kind = "empty", framed = false }: StateProps) {
  return (
    <div
      className={cx(framed && styles.panel, styles.state, kind === "error" && styles.error)}
      data-testid="state"
      data-kind={kind}
      role={kind === "error" ? "alert" : "status"}
    >
      {kind === "loading" && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </div>
  );
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
