// A call in one line, which leads to it.

import type { ReactNode } from "react";
import type { Line } from "../api";
import { usePage } from "../state/page";
import styles from "./question.module.css";

export function CallLine({ line, children }: { line: Line; children?: ReactNode }) {
  const { look } = usePage();
  return (
    <button type="button" className={styles.callLine} data-testid="call-line" onClick={() => look(String(line.call))}>
      <span className={styles.callNumber} data-testid="call-number">
        #{line.call}
      </span>
      <code>{line.title}</code>
      <code className={styles.outcomeText}>{line.outcome}</code>
      {children}
    </button>
  );
}
