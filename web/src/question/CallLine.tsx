// A call in one line, which leads to it.

import type { ReactNode } from "react";
import type { Line } from "../api";
import { usePage } from "../state/page";

export function CallLine({ line, children }: { line: Line; children?: ReactNode }) {
  const { look } = usePage();
  return (
    <button type="button" className="call-line" onClick={() => look(String(line.call))}>
      <span className="call-number">#{line.call}</span>
      <code>{line.title}</code>
      <code className="outcome-text">{line.outcome}</code>
      {children}
    </button>
  );
}
