// The variables of a call and of its module at any time.

import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import type { Place } from "../state/location";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import { ValueTree } from "../values/Values";
import styles from "./inspector.module.css";
import { Sparkline } from "./Sparkline";

export function Variables() {
  const { number, call, location, go, again, follow } = usePage();
  const { time, place } = location;
  const entered = call?.time ?? null;
  const found = useAnswer("calls/{call}/variables", { call: number, time }, again);
  const numeric = useAnswer("calls/{call}/series", { call: number, time }, again);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Loading…</State>;
  const series = new Map(numeric.data?.series.map((each) => [each.name, each]));
  const at = (path: string): Place => ({ path, side: "", of: number, at: time });
  const picking = {
    picked: place?.side === "" && place.of === number ? place.path : "",
    pick: (path: string) => go({ place: at(path) }),
    follow: (path: string) => follow(at(path)),
    call: number,
    time: found.data.time,
    ...(entered === null ? {} : { against: entered }),
  };
  return (
    <div className={cx(styles.scroll, styles.variables)}>
      <fieldset className={shared.choices} aria-label="As of">
        <button
          type="button"
          aria-pressed={time !== null && time === entered}
          disabled={entered === null}
          onClick={() => go({ time: entered })}
        >
          Entry
        </button>
        <button
          type="button"
          aria-pressed={time !== null && time !== entered}
          disabled={time === null || time === entered}
        >
          {time !== null && time !== entered ? `Time ${time}` : "Selected"}
        </button>
        <button type="button" aria-pressed={time === null} onClick={() => go({ time: null })}>
          Exit
        </button>
      </fieldset>
      <h3>Variables</h3>
      {found.data.variables.length === 0 && <p className={shared.quiet}>None.</p>}
      <ul aria-label="Variables">
        {found.data.variables.map((value) => (
          <ValueTree
            key={`${value.label} ${value.object} ${found.data?.time}`}
            value={value}
            path={value.label}
            {...picking}
            beside={(path) => {
              const found = series.get(path);
              return found && <Sparkline series={found} onOpen={() => go({ place: at(path), tab: "history" })} />;
            }}
          />
        ))}
      </ul>
      <details>
        <summary>Globals ({found.data.globals.length})</summary>
        <ul aria-label="Globals">
          {found.data.globals.map((value) => (
            <ValueTree key={`${value.label} ${value.object}`} value={value} path={value.label} {...picking} />
          ))}
        </ul>
      </details>
    </div>
  );
}
