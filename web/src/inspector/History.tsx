// Every value that a place had: a chart of numbers, a filter, and the rounds in which they were written as columns.

import { useState } from "react";
import type { Version } from "../api";
import { get, type Parameters } from "../client";
import { LongRows } from "../lists/LongRows";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import type { Place } from "../state/location";
import { usePage } from "../state/page";
import { useAnswer, useArrived } from "../state/requests";
import { Chart } from "./Chart";
import { GoTo } from "./GoTo";
import styles from "./inspector.module.css";

/** Of a row, in pixels. */
const ROW = 44;
/** Longer histories have no chart. */
const MOST_DRAWN = 500;
/** Values that are fetched with their number: what is in view at first. */
const FIRST = 200;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

export function History() {
  const { location } = usePage();
  const { place } = location;
  const found = useHistory(place, null);
  // The history of another place stays until that of this one is there.
  const shown = useArrived(place, place !== null && !found.stale && (found.data !== null || found.error !== ""));
  if (!place) return <State>Pick a value in the question or among the variables to see every value it ever had.</State>;
  if (!shown) return <State kind="loading">Searching the run…</State>;
  return <OfPlace key={JSON.stringify(shown)} place={shown} loading={found.loading} />;
}

/** The history of a place, with its first values. */
function useHistory(place: Place | null, wanted: string | null) {
  const { call, location, again } = usePage();
  const exited = call?.exit ?? -1;
  const now = location.time ?? (exited >= 0 ? exited : null);
  const asked = place ? { call: place.of, place: place.path, time: place.at } : {};
  return useAnswer(
    place ? "calls/{call}/history" : null,
    { ...asked, now, count: FIRST, ...(wanted ? { filter: wanted } : {}) },
    again,
  );
}

function OfPlace({ place, loading }: { place: Place; loading: boolean }) {
  const { time } = usePage().location;
  const [filter, setFilter] = useState("");
  const asked = { call: place.of, place: place.path, time: place.at };
  const wanted = filter.trim() || null;
  const found = useHistory(place, wanted);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Searching the run…</State>;
  const { count: total, index, columns, searched } = found.data;
  if (total === 0 && !wanted) return <State>{place.path} was never written: it is what the call returned.</State>;
  const fetchBlock = async (query: { first: number; count: number }, signal: AbortSignal) =>
    (await get("calls/{call}/history", { ...asked, filter: wanted, ...query }, signal)).versions;
  return (
    <>
      <div className={styles.historyBar} aria-busy={found.loading || loading}>
        <p className={styles.lead} data-testid="lead">
          <code>{place.path}</code> {wanted ? `had ${count(total, "value")} like this` : `had ${count(total, "value")}`}
          {wanted && searched > 0 ? ` among ${searched.toLocaleString("en")}` : ""}.
        </p>
        <input
          type="search"
          value={filter}
          placeholder="Filter"
          aria-label={`Filter the values of ${place.path}`}
          title={`A value, a function, part of a line${columns[0] ? `, or ${columns[0]} = 3` : ""}`}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      {!wanted && total > 1 && total <= MOST_DRAWN && <Drawn path={place.path} asked={asked} />}
      {columns.length > 0 && (
        <div className={styles.historyHead} aria-hidden="true">
          <span>value</span>
          {columns.map((name) => (
            <span key={name} className={styles.historyRound}>
              {name}
            </span>
          ))}
        </div>
      )}
      {total === 0 && <State>No value of {place.path} is like this.</State>}
      <LongRows<Version>
        name={`history ${JSON.stringify({ ...asked, wanted })}`}
        stamp={`${total}`}
        count={total}
        height={ROW}
        here={index}
        known={found.stale ? undefined : found.data.versions}
        fetchBlock={fetchBlock}
        list={{ className: styles.history, "aria-label": `Values of ${place.path}` }}
        row={(version, at) => (
          <div
            className={cx(rowStyles.row, styles.historyRow, time !== null && version.time > time && styles.later)}
            data-testid="history-row"
            aria-current={time !== null && !wanted && at === index ? "true" : undefined}
          >
            <GoTo className={styles.historyGo} call={version.call} time={version.time}>
              <span className={styles.historyLine}>
                <span className={styles.historyValue}>
                  <code>{version.value ?? "(removed)"}</code>
                  {version.seen && <span className={shared.note}> first seen</span>}
                </span>
                <Rounds columns={columns} rounds={version.rounds} />
              </span>
              <span className={styles.historyWhere}>
                time {version.time} · {version.function} #{version.call} · line {version.line}{" "}
                <code className={styles.sourceBit}>{version.source}</code>
              </span>
            </GoTo>
          </div>
        )}
      />
    </>
  );
}

/** The round in which a value was written. */
function Rounds({ columns, rounds }: { columns: string[]; rounds: string[] }) {
  return columns.map((name, at) => (
    <code
      key={name}
      className={styles.historyRound}
      data-testid="history-round"
      title={`${name} = ${rounds[at] ?? ""}`}
    >
      <span className={shared.visuallyHidden}>{name} = </span>
      {rounds[at]}
    </code>
  ));
}

/** The values as a chart, with a point for each write, if they are numbers. */
function Drawn({ path, asked }: { path: string; asked: Parameters }) {
  const { look, again, location } = usePage();
  const found = useAnswer("calls/{call}/history", { ...asked, first: 0, count: MOST_DRAWN }, again);
  const points = (found.data?.versions ?? []).flatMap((version) =>
    version.value !== null && NUMBER.test(version.value)
      ? [{ x: version.time, y: Number(version.value), version }]
      : [],
  );
  if (points.length < 2) return null;
  return (
    <Chart
      name={path}
      points={points}
      now={location.time}
      onPoint={({ version }) => look(String(version.call), version.time)}
    />
  );
}
