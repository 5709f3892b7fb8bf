// Details of the call in the middle: events, variables, histories, what was printed.

import { useMemo } from "react";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import { CopyPython } from "../values/CopyPython";
import { Events } from "./Events";
import { History } from "./History";
import styles from "./inspector.module.css";
import { LineRuns } from "./LineRuns";
import { Output } from "./Output";
import { useStepping } from "./stepping";
import { Origin } from "./Trails";
import { Variables } from "./Variables";

const TABS = [
  ["events", "Events"],
  ["line", "Line"],
  ["variables", "Variables"],
  ["history", "History"],
  ["origin", "Origin"],
  ["output", "Output"],
] as const;

export function Details() {
  const { location, go, again } = usePage();
  const { place, tab } = location;
  const { events, source, marked, setTime, step, jump } = useStepping();
  const asked = place ? { call: place.of, place: place.path, time: place.at } : {};
  const origin = useAnswer(place && tab === "origin" ? "calls/{call}/origin" : null, asked, again);
  const lines = useMemo(() => new Map(source.data?.lines.map((line) => [line.number, line.text])), [source.data]);
  const marks = marked.data?.marks ?? [];
  return (
    <section
      className={shared.panel}
      aria-label="Details"
      aria-busy={events.loading || marked.loading || origin.loading}
    >
      <div className={styles.tabs} role="tablist" aria-label="Details">
        {TABS.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls="tab-panel"
            onClick={() => go({ tab: name })}
          >
            {text}
          </button>
        ))}
      </div>
      {place && (
        <div className={styles.pickedPlace} data-testid="picked-place" title="The picked value">
          <code>{place.path}</code>
          <button
            type="button"
            className={shared.smallButton}
            aria-label="Previous change"
            title="Previous change ["
            onClick={() => jump(-1)}
          >
            <span aria-hidden="true">⇤</span> Previous
          </button>
          <button
            type="button"
            className={shared.smallButton}
            aria-label="Next change"
            title="Next change ]"
            onClick={() => jump(1)}
          >
            Next <span aria-hidden="true">⇥</span>
          </button>
          <span className={shared.quiet} title="In this call">
            {marked.data ? changes(marked.data.count) : ""}
          </span>
          <CopyPython key={JSON.stringify(place)} call={place.of} path={place.path} time={place.at} />
          <button
            type="button"
            className={cx(shared.smallButton, styles.forget)}
            aria-label="Clear the picked value"
            title="Clear the picked value"
            onClick={() => go({ place: null })}
          >
            <span aria-hidden="true">×</span> Clear
          </button>
        </div>
      )}
      <div
        className={styles.tabPanel}
        data-testid="tab-panel"
        id="tab-panel"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
      >
        {tab === "events" &&
          (events.error ? (
            <State kind="error">{events.error}</State>
          ) : (
            <Events events={events.data} marks={marks} source={lines} onTime={setTime} onStep={step} />
          ))}
        {tab === "line" && <LineRuns />}
        {tab === "variables" && <Variables />}
        {tab === "history" && <History />}
        {tab === "origin" && <Origin found={origin} />}
        {tab === "output" && <Output />}
      </div>
    </section>
  );
}

function changes(number: number): string {
  return number ? `changed by ${count(number, "event")}` : "not changed here";
}
