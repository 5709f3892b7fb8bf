// The history of a place, and where its value came from.

import type { LinkKind, Origin as OriginData, TrailEnd, Version } from "../api";
import { get, type Parameters } from "../client";
import { LongRows } from "../lists/LongRows";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { type Fetched, useAnswer } from "../state/requests";
import { Chart } from "./Chart";
import { GoTo } from "./GoTo";
import styles from "./inspector.module.css";
import { OriginTree } from "./OriginTree";

/** Of a row, in pixels. */
const ROW = 44;
/** Longer histories have no chart. */
const MOST_DRAWN = 500;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/** Every value that a place ever had. */
export function History() {
  const { call, location, again } = usePage();
  const { place, time } = location;
  const asked = place ? { call: place.of, place: place.path, time: place.at } : {};
  const exited = call?.exit ?? -1;
  const now = time ?? (exited >= 0 ? exited : null);
  const found = useAnswer(place ? "calls/{call}/history" : null, { ...asked, now, count: 0 }, again);
  if (!place) return <State>Pick a value in the question or among the variables to see every value it ever had.</State>;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Searching the run…</State>;
  const { count: total, index } = found.data;
  if (total === 0) return <State>{place.path} was never written: it is what the call returned.</State>;
  const fetchBlock = async (query: { first: number; count: number }, signal: AbortSignal) =>
    (await get("calls/{call}/history", { ...asked, ...query }, signal)).versions;
  return (
    <>
      <p className={styles.lead} data-testid="lead">
        <code>{place.path}</code> had {count(total, "value")}.
      </p>
      {total > 1 && total <= MOST_DRAWN && <Drawn path={place.path} asked={asked} />}
      <LongRows<Version>
        name={`history ${JSON.stringify(asked)}`}
        stamp={`${total}`}
        count={total}
        height={ROW}
        here={index}
        fetchBlock={fetchBlock}
        list={{ className: styles.history, "aria-label": `Values of ${place.path}` }}
        row={(version, at) => (
          <div
            className={cx(rowStyles.row, styles.historyRow, time !== null && version.time > time && styles.later)}
            data-testid="history-row"
            aria-current={time !== null && at === index ? "true" : undefined}
          >
            <GoTo className={styles.historyGo} call={version.call} time={version.time}>
              <span className={styles.historyValue}>
                <code>{version.value ?? "(removed)"}</code>
                {version.seen && <span className={shared.note}> first seen</span>}
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

/** The values as a chart, with a point for each write, if they are numbers. */
function Drawn({ path, asked }: { path: string; asked: Parameters }) {
  const { look, again } = usePage();
  const found = useAnswer("calls/{call}/history", { ...asked, first: 0, count: MOST_DRAWN }, again);
  const points = (found.data?.versions ?? []).flatMap((version) =>
    version.value !== null && NUMBER.test(version.value)
      ? [{ x: version.time, y: Number(version.value), version }]
      : [],
  );
  if (points.length < 2) return null;
  return <Chart name={path} points={points} onPoint={({ version }) => look(String(version.call), version.time)} />;
}

const ENDS: Record<TrailEnd, string> = {
  literal: "written in the source as",
  expression: "computed by",
  call: "made by",
  unknown: "the trail ends here: the source does not say more",
};

const LINKS: Record<LinkKind, string> = {
  written: "written",
  passed: "passed",
  returned: "returned",
  seen: "first seen",
};

export function Origin({ found }: { found: Fetched<OriginData> }) {
  const { location } = usePage();
  const { place } = location;
  if (!place) return <State>Pick a value in the question or among the variables to see where it came from.</State>;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Following the value back…</State>;
  const origin = found.data;
  return (
    <div className={styles.scroll}>
      <p className={styles.lead} data-testid="lead">
        <code>{place.path}</code> is <code>{origin.value}</code>
      </p>
      <ol className={styles.trail} data-testid="trail">
        {origin.links.map((link) => (
          <li key={`${link.time} ${link.place} ${link.kind}`}>
            <GoTo className={styles.trailStep} call={link.call} time={link.time}>
              <span className={styles.trailWhere}>
                line {link.line} · {link.function} #{link.call} · time {link.time}
              </span>
              <span>
                <code>{link.place}</code> {LINKS[link.kind]}
                {link.from && (
                  <>
                    {" "}
                    from <code>{link.from}</code>
                  </>
                )}
              </span>
            </GoTo>
          </li>
        ))}
        <li className={styles.trailEnd} data-testid="trail-end">
          <GoTo className={styles.trailStep} call={origin.made_by} time={origin.links.at(-1)?.time}>
            <span className={styles.trailWhere}>{origin.missing || ENDS[origin.end]}</span>
            {origin.end !== "unknown" && (
              <span>
                <code className={styles.made}>{origin.expression}</code> at line {origin.made_at} in #{origin.made_by}
              </span>
            )}
            {origin.operands.map((operand) => (
              <span key={operand.text} className={styles.operand}>
                <code>{operand.text}</code> = <code>{operand.value}</code>
              </span>
            ))}
          </GoTo>
        </li>
      </ol>
      <OriginTree place={place} />
    </div>
  );
}
