// What was at a place beside what is there: parts in rows, changed words marked, equal stretches folded.

import { useState } from "react";
import type { SideRow, Span } from "../api";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useAnswer } from "../state/requests";
import type { OpenedChangeProps } from "./registry";
import styles from "./sides.module.css";

/** Of a level, in pixels. */
const INDENT = 14;
const SIGNS: Record<SideRow["kind"], string> = { same: "", changed: "~", added: "+", removed: "−", gap: "" };

export default function SideBySide({ change }: OpenedChangeProps) {
  const [everything, setEverything] = useState(false);
  const asked = { ...change.sides, all: everything ? "yes" : null };
  const found = useAnswer(change.sides ? "side-by-side" : null, asked);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Comparing…</State>;
  const { rows, more, note } = found.data;
  const folded = rows.some(({ kind }) => kind === "gap");
  return (
    <div className={styles.framed} data-testid="side-by-side">
      <table className={styles.table} aria-label={`${change.place}, before and after`}>
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {numbered(rows).map(({ number, row }) =>
            row.kind === "gap" ? (
              <tr key={number} className={styles.gap} data-kind="gap">
                <td colSpan={2} style={{ paddingLeft: 10 + row.depth * INDENT }}>
                  … {count(row.count, "equal part")} …
                </td>
              </tr>
            ) : (
              <tr key={number} data-kind={row.kind} data-testid="side-row">
                <Side row={row} side="old" />
                <Side row={row} side="new" />
              </tr>
            ),
          )}
        </tbody>
      </table>
      {rows.length === 0 && <p className={shared.quiet}>Nothing differs.</p>}
      {(more > 0 || note || folded || everything) && (
        <p className={styles.foot}>
          {(folded || everything) && (
            <button type="button" className={shared.smallButton} onClick={() => setEverything(!everything)}>
              {everything ? "Only what differs" : "Show everything"}
            </button>
          )}
          {more > 0 && <span>{count(more, "more row")}, not shown</span>} {note}
        </p>
      )}
    </div>
  );
}

/** Labels may be shown twice: each row has its number. */
function numbered(rows: SideRow[]) {
  return rows.map((row, number) => ({ number, row }));
}

function Side({ row, side }: { row: SideRow; side: "old" | "new" }) {
  const [label, spans] = side === "old" ? [row.old_label, row.old] : [row.new_label, row.new];
  const isHere = side === "old" ? row.kind !== "added" : row.kind !== "removed";
  const sign = (side === "new") === (row.kind === "added") || row.kind === "changed" ? SIGNS[row.kind] : "";
  return (
    <td
      className={cx(styles.side, isHere && row.kind !== "same" && styles[side])}
      style={{ paddingLeft: 6 + row.depth * INDENT }}
    >
      {isHere && (
        <>
          <span className={styles.sign} aria-hidden="true">
            {sign}
          </span>
          {label && <span className={styles.label}>{label} </span>}
          <Marked spans={spans} side={side} />
          {side === "new" && row.note && <span className={shared.note}> {row.note}</span>}
        </>
      )}
    </td>
  );
}

/** A text whose marked parts are those that differ. */
function Marked({ spans, side }: { spans: Span[]; side: "old" | "new" }) {
  const Mark = side === "old" ? "del" : "ins";
  return (
    <span className={styles.text}>
      {spans.map(([text, isMarked], number) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        isMarked ? <Mark key={number}>{text}</Mark> : <span key={number}>{text}</span>,
      )}
    </span>
  );
}
