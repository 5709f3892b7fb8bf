// What the program printed; a line leads to the call that printed it.

import { get, type Output as OutputData, type OutputLine } from "./api";
import { useFetched } from "./hooks";
import { LongRows } from "./LongRows";
import { State } from "./marks";

const ROW = 22;

interface Props {
  /** When the call that is looked at began and ended: what was printed meanwhile stands out. */
  began: number;
  exited: number;
  time: number | null;
  again: number;
  onCall: (key: string, time?: number) => void;
}

export function Output({ began, exited, time, again, onCall }: Props) {
  const found = useFetched<OutputData>("output", { count: 0, now: time ?? (exited >= 0 ? exited : null) }, again);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Reading…</State>;
  const { count, index } = found.data;
  if (count === 0) return <State>The program printed nothing.</State>;
  return (
    <LongRows<OutputLine>
      stamp={`output ${count}`}
      count={count}
      height={ROW}
      here={index}
      fetchBlock={async (query, signal) => (await get<OutputData>("output", query, signal)).lines}
      list={{ className: "output", "aria-label": "What the program printed" }}
      row={(line, at) => {
        const inside = line.time >= began && (exited < 0 || line.time <= exited);
        return (
          <div className={`row output-row ${inside ? "" : "outside"}`}>
            <button
              type="button"
              className="output-go"
              disabled={!line.call}
              aria-current={line.time === time ? "true" : undefined}
              title={`Printed by call #${line.call}: go there`}
              onClick={() => onCall(String(line.call), line.time)}
            >
              <span className="output-number">{at + 1}</span>
              <code>{line.text || " "}</code>
            </button>
          </div>
        );
      }}
    />
  );
}
