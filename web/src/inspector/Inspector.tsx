// The inside of a call: source with a slider through time, events, variables, histories.

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Events as EventList } from "../api";
import { get } from "../client";
import { KEYS } from "../keys";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { Source } from "../source/LaterSource";
import sourceStyles from "../source/source.module.css";
import { useKeys } from "../state/keys";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import { Events } from "./Events";
import styles from "./inspector.module.css";
import { Output } from "./Output";
import { Slider } from "./Slider";
import { History, Origin } from "./Trails";
import { Variables } from "./Variables";

/** Events that are fetched with the call itself. */
const FIRST_EVENTS = 500;

const TABS = [
  ["events", "Events"],
  ["variables", "Variables"],
  ["history", "History"],
  ["origin", "Origin"],
  ["output", "Output"],
] as const;

export function Inspector() {
  const queries = useQueryClient();
  const { number: call, location, go, again } = usePage();
  const { time, place, tab } = location;
  const events = useAnswer("calls/{call}/events", { call, time, count: FIRST_EVENTS }, again);
  const source = useAnswer("calls/{call}/source", { call, time }, again);
  const file = useAnswer(source.data ? "files/{file}" : null, { file: source.data?.file });
  const asked = place ? { call: place.of, place: place.path, time: place.at } : {};
  const marked = useAnswer(place ? "calls/{call}/marks" : null, { ...asked, mark: call }, again);
  const origin = useAnswer(place && tab === "origin" ? "calls/{call}/origin" : null, asked, again);
  const lines = useMemo(() => new Map(source.data?.lines.map((line) => [line.number, line.text])), [source.data]);
  const marks = marked.data?.marks ?? [];

  const setTime = (to: number) => go({ time: to }, true);
  const toEvent = async (index: number) => {
    const known = events.data?.events[index];
    if (known) return setTime(known.time);
    const asked = { call, first: index, count: 1 };
    const found = await queries.fetchQuery({
      queryKey: ["event", asked],
      queryFn: () => get("calls/{call}/events", asked),
    });
    if (found.events[0]) setTime(found.events[0].time);
  };
  const step = (by: 1 | -1) => {
    if (!events.data?.count) return;
    if (time === null) toEvent(by < 0 ? events.data.count - 1 : 0);
    else {
      const to = neighbour(events.data, time, by);
      if (to !== null) setTime(to);
    }
  };
  const jump = (by: 1 | -1) => {
    const now = time ?? (by > 0 ? -1 : Number.MAX_SAFE_INTEGER);
    const times = marks.map((mark) => mark[1]);
    const to = by > 0 ? times.find((t) => t > now) : times.findLast((t) => t < now);
    if (to !== undefined) setTime(to);
  };
  useKeys({
    [KEYS.previous]: () => step(-1),
    [KEYS.next]: () => step(1),
    [KEYS.previousChange]: () => jump(-1),
    [KEYS.nextChange]: () => jump(1),
  });

  return (
    <>
      <section className={shared.panel} aria-label="Source" aria-busy={source.loading || file.loading}>
        <header className={shared.panelHead}>
          <h2>Source</h2>
          <span className={shared.quiet}>
            {source.data ? `${source.data.path} · ${source.data.function} #${call}` : `#${call}`}
          </span>
        </header>
        <div className={sourceStyles.sourceBody}>
          {source.error && <State kind="error">{source.error}</State>}
          {!source.error && <Source file={file.data} source={source.data} />}
        </div>
        <Slider
          events={events.data}
          line={source.data?.line ?? 0}
          onEvent={toEvent}
          onStep={step}
          onEnd={() => go({ time: null }, true)}
        />
      </section>
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
              ⇤
            </button>
            <button
              type="button"
              className={shared.smallButton}
              aria-label="Next change"
              title="Next change ]"
              onClick={() => jump(1)}
            >
              ⇥
            </button>
            <span className={shared.quiet}>{marked.data ? changes(marked.data.count) : ""}</span>
            <button
              type="button"
              className={cx(shared.smallButton, styles.forget)}
              aria-label="Clear the picked value"
              onClick={() => go({ place: null })}
            >
              ×
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
          {tab === "variables" && <Variables />}
          {tab === "history" && <History />}
          {tab === "origin" && <Origin found={origin} />}
          {tab === "output" && <Output />}
        </div>
      </section>
    </>
  );
}

function changes(number: number): string {
  return number ? `changed by ${count(number, "event")} of this call` : "not changed by this call";
}

/** The time of the event before or after a time; the events may have been fetched for another time. */
function neighbour({ events, before, after }: EventList, time: number, by: 1 | -1): number | null {
  if (by > 0) {
    const next = events.find((event) => event.time > time)?.time ?? after;
    return next !== null && next > time ? next : null;
  }
  const isKnown = time <= (events.at(-1)?.time ?? -1);
  const last = isKnown ? (events.findLast((event) => event.time < time)?.time ?? null) : before;
  return last !== null && last < time ? last : null;
}
