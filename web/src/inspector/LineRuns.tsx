// A line of source: every time it ran, and a print statement after the fact.

import { type ReactNode, useEffect, useRef, useState } from "react";
import type { LineRun, LineRuns as LineRunsData } from "../api";
import { get } from "../client";
import { LongRows } from "../lists/LongRows";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import { Chart } from "./Chart";
import styles from "./inspector.module.css";
import { useStepping } from "./stepping";

/** Of a row, in pixels. */
const ROW = 26;
/** Points of the chart. */
const POINTS = 300;

export function LineRuns() {
  const { number: call, call: shown, location, go, look, again } = usePage();
  const { expression, time, everywhere } = location;
  const { source } = useStepping();
  // Without a picked line, it is the one at the selected time.
  const line = location.line ?? (source.data?.line || null);
  const file = source.data?.file ?? 0;
  const asked = { file, line, expression: expression || null, below: everywhere ? null : call };
  const now = time ?? shown?.exit ?? null;
  const wanted = source.data && line !== null ? "files/{file}/runs" : null;
  const found = useAnswer(wanted, { ...asked, call, time: now, count: 1 }, again);
  if (line === null) return <State>Click a line of the source to see every time it ran.</State>;
  const to = (run: LineRun | undefined) => {
    if (!run) return;
    look(String(run.call), run.time);
    // It is the same line, also in another call.
    go({ line, expression, everywhere, tab: "line" }, true);
  };
  const next = found.data ? neighbour(found.data, time, 1) : null;
  const previous = found.data ? neighbour(found.data, time, -1) : null;
  const step = async (index: number | null) => {
    if (index !== null) to((await get("files/{file}/runs", { ...asked, first: index, count: 1 })).runs[0]);
  };
  return (
    <>
      <PrintField line={line} expression={expression} onPrint={(text) => go({ expression: text })}>
        <fieldset className={shared.choices} aria-label="Where">
          <button type="button" aria-pressed={!everywhere} onClick={() => go({ everywhere: false })}>
            This call
          </button>
          <button type="button" aria-pressed={everywhere} onClick={() => go({ everywhere: true })}>
            Whole run
          </button>
        </fieldset>
      </PrintField>
      {found.error && <State kind="error">{found.error}</State>}
      {!found.error && !found.data && <State kind="loading">Loading…</State>}
      {!found.error && found.data && (
        <>
          <div className={styles.runsHead}>
            <span data-testid="runs-count" title="What the line itself wrote is beside it in the source">
              line {line} ran {times(found.data)}
              {time !== null && place(found.data)}
              <span className={shared.note}> (values right before it ran)</span>
            </span>
            <button
              type="button"
              className={shared.smallButton}
              aria-disabled={previous === null}
              onClick={() => step(previous)}
            >
              ◀ Previous
            </button>
            <button
              type="button"
              className={shared.smallButton}
              aria-disabled={next === null}
              onClick={() => step(next)}
            >
              Next ▶
            </button>
          </div>
          <Drawn asked={asked} data={found.data} onRun={to} />
          {found.data.count === 0 && <State>It did not run.</State>}
          <Runs asked={asked} data={found.data} onRun={to} />
        </>
      )}
    </>
  );
}

function times({ count: number }: LineRunsData): string {
  return number === 1 ? "once" : count(number, "time");
}

/** Where the selected time is among the executions. */
function place({ index, here, count: all }: LineRunsData): string {
  if (here) return `; this is number ${(index + 1).toLocaleString("en")}`;
  if (index < 0 || index + 1 === all) return "";
  return `, ${(index + 1).toLocaleString("en")} of them before the selected time`;
}

/** The number of the execution before or after a time; without a time, of the last and the first; null: there is none. */
function neighbour({ index, here, count: all }: LineRunsData, time: number | null, by: 1 | -1): number | null {
  const to = by > 0 ? (time === null ? 0 : index + 1) : time === null ? all - 1 : here ? index - 1 : index;
  return to >= 0 && to < all ? to : null;
}

interface PrintProps {
  line: number;
  expression: string;
  onPrint: (expression: string) => void;
  children: ReactNode;
}

/** An expression to show at every execution of the line. */
function PrintField({ line, expression, onPrint, children }: PrintProps) {
  const [typed, setTyped] = useState(expression);
  const field = useRef<HTMLInputElement | null>(null);
  useEffect(() => setTyped(expression), [expression]);
  return (
    <form
      className={styles.printField}
      onSubmit={(event) => {
        event.preventDefault();
        onPrint(typed.trim());
      }}
    >
      <label>
        <code>print(</code>
        <input
          ref={field}
          id="print"
          value={typed}
          placeholder="an expression, such as len(items)"
          aria-label={`Print at line ${line}, after the fact`}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            onPrint("");
            field.current?.blur();
          }}
        />
        <code>)</code>
      </label>
      <button type="submit" className={shared.smallButton}>
        Print
      </button>
      {children}
    </form>
  );
}

type Asked = Record<"file" | "line" | "expression" | "below", string | number | null>;

interface RunsProps {
  asked: Asked;
  data: LineRunsData;
  onRun: (run: LineRun) => void;
}

/** The numbers of the first expression that has any, as a chart. */
function Drawn({ asked, data, onRun }: RunsProps) {
  const { location } = usePage();
  const every = Math.max(1, Math.ceil(data.count / POINTS));
  const found = useAnswer(data.count > 1 ? "files/{file}/runs" : null, { ...asked, every, count: POINTS });
  const runs = found.data?.runs ?? [];
  const column = (found.data?.expressions ?? []).findIndex((_, at) =>
    runs.some((run) => (run.numbers[at] ?? null) !== null),
  );
  if (column < 0) return null;
  const name = found.data?.expressions[column] ?? "";
  return (
    <Chart
      name={name}
      points={runs.flatMap((run) => {
        const number = run.numbers[column] ?? null;
        return number === null ? [] : [{ x: run.time, y: number, run }];
      })}
      now={location.time}
      onPoint={({ run }) => onRun(run)}
    />
  );
}

function Runs({ asked, data, onRun }: RunsProps) {
  const { location } = usePage();
  return (
    <LongRows<LineRun>
      name={`runs ${JSON.stringify(asked)}`}
      stamp={`${data.count}`}
      count={data.count}
      height={ROW}
      here={data.index}
      fetchBlock={async (query, signal) => (await get("files/{file}/runs", { ...asked, ...query }, signal)).runs}
      list={{ className: styles.output, "aria-label": "Executions of the line" }}
      row={(run, at) => (
        <div className={cx(rowStyles.row, styles.runRow)} data-testid="run-row">
          <button
            type="button"
            className={styles.runGo}
            aria-current={at === data.index && location.time !== null ? "true" : undefined}
            onClick={() => onRun(run)}
          >
            <span className={styles.outputNumber}>{at + 1}</span>
            <span className={styles.runWhere}>
              {run.function} #{run.call}
              {run.round > 0 && ` · round ${run.round.toLocaleString("en")}`}
            </span>
            {run.values.map((value, index) => (
              <code key={data.expressions[index]}>
                <span className={styles.runName}>{data.expressions[index]} = </span>
                {value}
              </code>
            ))}
          </button>
        </div>
      )}
    />
  );
}
