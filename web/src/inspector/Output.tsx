// What the program printed; a line leads to the call that printed it.

import type { OutputLine } from "../api";
import { get } from "../client";
import { LongRows } from "../lists/LongRows";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import styles from "./inspector.module.css";

/** Of a row, in pixels. */
const ROW = 22;

export function Output() {
  const { call, location, again, look } = usePage();
  const { time } = location;
  // Lines that were printed while the call ran stand out.
  const began = call?.entry ?? 0;
  const exited = call?.exit ?? -1;
  const found = useAnswer("output", { count: 0, now: time ?? (exited >= 0 ? exited : null) }, again);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Loading…</State>;
  const { count, index } = found.data;
  if (count === 0) return <State>The program printed nothing.</State>;
  return (
    <LongRows<OutputLine>
      name="output"
      stamp={`${count}`}
      count={count}
      height={ROW}
      here={index}
      fetchBlock={async (query, signal) => (await get("output", query, signal)).lines}
      list={{ className: styles.output, "aria-label": "What the program printed" }}
      row={(line, at) => {
        const inside = line.time >= began && (exited < 0 || line.time <= exited);
        return (
          <div
            className={cx(rowStyles.row, styles.outputRow, !inside && styles.outside)}
            data-testid="output-row"
            data-outside={!inside}
          >
            <button
              type="button"
              className={styles.outputGo}
              disabled={!line.call}
              aria-current={line.time === time ? "true" : undefined}
              title={`Printed by call #${line.call}: go there`}
              onClick={() => look(String(line.call), line.time)}
            >
              <span className={styles.outputNumber}>{at + 1}</span>
              <code>{line.text || " "}</code>
            </button>
          </div>
        );
      }}
    />
  );
}
