// What happened inside a call: source with a slider through time, events, variables, histories.

import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import {
  type Events as EventList,
  get,
  type Marks,
  type Origin as OriginData,
  type Source as SourceData,
  type SourceFile,
  type Variables as VariablesData,
} from "./api";
import { Events } from "./Events";
import { type Go, type Location, type Place, useFetched } from "./hooks";
import { KEYS } from "./keys";
import { Source } from "./LaterSource";
import { count, Key, State } from "./marks";
import { Output } from "./Output";
import { History, Origin } from "./Trails";
import { ValueTree } from "./Values";

interface Props {
  call: number;
  /** When the call began, had its arguments, and ended: places in the card are as of then. */
  began: number;
  entered: number | null;
  exited: number;
  location: Location;
  go: Go;
  again: number;
  onCall: (key: string, time?: number) => void;
  /** Go to where the value at a place was made. */
  follow: (place: Place) => void;
}

const TABS = [
  ["events", "Events"],
  ["variables", "Variables"],
  ["history", "History"],
  ["origin", "Origin"],
  ["output", "Output"],
] as const;

export function Inspector({ call, began, entered, exited, location, go, again, onCall, follow }: Props) {
  const { time, place, tab } = location;
  const events = useFetched<EventList>(`calls/${call}/events`, { time, count: 500 }, again);
  const source = useFetched<SourceData>(`calls/${call}/source`, { time }, again);
  const file = useFetched<SourceFile>(source.data ? `files/${source.data.file}` : null);
  const asked = place ? { place: place.path, time: place.at } : {};
  const marked = useFetched<Marks>(place ? `calls/${place.of}/marks` : null, { ...asked, mark: call }, again);
  const origin = useFetched<OriginData>(place && tab === "origin" ? `calls/${place.of}/origin` : null, asked, again);
  const lines = useMemo(() => new Map(source.data?.lines.map((line) => [line.number, line.text])), [source.data]);
  const marks = marked.data?.marks ?? [];

  const setTime = (to: number) => go({ time: to }, true);
  const toEvent = (index: number) => {
    const known = events.data?.events[index];
    if (known) setTime(known.time);
    else
      void get<EventList>(`calls/${call}/events`, { first: index, count: 1 }).then(
        (found) => found.events[0] && setTime(found.events[0].time),
      );
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
      <section className="source-panel" aria-label="Source" aria-busy={source.loading || file.loading}>
        <header className="panel-head">
          <h2>Source</h2>
          <span className="quiet">
            {source.data ? `${source.data.path} · ${source.data.function} #${call}` : `#${call}`}
          </span>
        </header>
        <div className="source-body">
          {source.error && <State kind="error">{source.error}</State>}
          {!source.error && <Source file={file.data} source={source.data} />}
        </div>
        <Slider
          call={call}
          events={events.data}
          time={time}
          line={source.data?.line ?? 0}
          onEvent={toEvent}
          onStep={step}
          onEnd={() => go({ time: null }, true)}
        />
      </section>
      <section
        className="detail-panel"
        aria-label="Details"
        aria-busy={events.loading || marked.loading || origin.loading}
      >
        <div className="tabs" role="tablist" aria-label="Details">
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
          <div className="picked-place" title="The picked value">
            <code>{place.path}</code>
            <button
              type="button"
              className="small-button"
              aria-label="Previous change"
              title="Previous change of it ["
              onClick={() => jump(-1)}
            >
              ⇤
            </button>
            <button
              type="button"
              className="small-button"
              aria-label="Next change"
              title="Next change of it ]"
              onClick={() => jump(1)}
            >
              ⇥
            </button>
            <span className="quiet">{marked.data ? changes(marked.data.count) : ""}</span>
            <button
              type="button"
              className="small-button forget"
              aria-label="Forget the picked value"
              onClick={() => go({ place: null })}
            >
              ×
            </button>
          </div>
        )}
        <div className="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === "events" &&
            (events.error ? (
              <State kind="error">{events.error}</State>
            ) : (
              <Events
                call={call}
                events={events.data}
                time={time}
                marks={marks}
                source={lines}
                onTime={setTime}
                onCall={onCall}
                onStep={step}
              />
            ))}
          {tab === "variables" && (
            <Variables call={call} time={time} again={again} entered={entered} place={place} follow={follow} go={go} />
          )}
          {tab === "history" && <History place={place} time={time} exited={exited} again={again} onCall={onCall} />}
          {tab === "origin" && <Origin place={place} found={origin} onCall={onCall} />}
          {tab === "output" && <Output began={began} exited={exited} time={time} again={again} onCall={onCall} />}
        </div>
      </section>
    </>
  );
}

function changes(number: number): string {
  return number ? `changed by ${count(number, "event")} of this call` : "not changed by this call";
}

/** The time of the event before or after a time; what is known may be as of another time. */
function neighbour({ events, before, after }: EventList, time: number, by: 1 | -1): number | null {
  if (by > 0) {
    const next = events.find((event) => event.time > time)?.time ?? after;
    return next !== null && next > time ? next : null;
  }
  const isKnown = time <= (events.at(-1)?.time ?? -1);
  const last = isKnown ? (events.findLast((event) => event.time < time)?.time ?? null) : before;
  return last !== null && last < time ? last : null;
}

interface SliderProps {
  call: number;
  events: EventList | null;
  time: number | null;
  line: number;
  onEvent: (index: number) => void;
  onStep: (by: 1 | -1) => void;
  onEnd: () => void;
}

function Slider({ call, events, time, line, onEvent, onStep, onEnd }: SliderProps) {
  const total = events?.count ?? 0;
  const [dragged, setDragged] = useState<number | null>(null);
  const index = dragged ?? (time === null ? total : (events?.index ?? 0));
  const move = (to: number) => {
    if (to >= total) {
      setDragged(null);
      onEnd();
      return;
    }
    setDragged(to);
    onEvent(to);
  };
  useEffect(() => setDragged(null), [time, call]);
  return (
    <fieldset className="slider" aria-label="Time">
      <button
        type="button"
        className="small-button"
        onClick={() => onStep(-1)}
        aria-label="Step back"
        title="Step back ,"
      >
        ◀
      </button>
      <input
        type="range"
        min={0}
        max={total}
        value={index}
        onChange={(event) => move(Number(event.target.value))}
        aria-label="Time in the call"
        aria-valuetext={time === null ? "at its end" : `time ${time}, line ${line}`}
      />
      <button
        type="button"
        className="small-button"
        onClick={() => onStep(1)}
        aria-label="Step forward"
        title="Step forward ."
      >
        ▶
      </button>
      <span className="slider-text">
        {time === null ? "at its end" : `time ${time} · line ${line}`} <Key>,</Key> <Key>.</Key>
      </span>
    </fieldset>
  );
}

interface VariablesProps {
  call: number;
  time: number | null;
  entered: number | null;
  again: number;
  place: Place | null;
  follow: (place: Place) => void;
  go: Go;
}

function Variables({ call, time, entered, again, place, follow, go }: VariablesProps) {
  const found = useFetched<VariablesData>(`calls/${call}/variables`, { time }, again);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Reading…</State>;
  const picking = {
    picked: place?.side === "" && place.of === call ? place.path : "",
    pick: (path: string) => go({ place: { path, side: "", of: call, at: time } }),
    follow: (path: string) => follow({ path, side: "", of: call, at: time }),
    time: found.data.time,
  };
  return (
    <div className="scroll variables">
      <fieldset className="moments" aria-label="As of">
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
      {found.data.variables.length === 0 && <p className="quiet">None.</p>}
      <ul aria-label="Variables">
        {found.data.variables.map((value) => (
          <ValueTree
            key={`${value.label} ${value.object} ${found.data?.time}`}
            value={value}
            path={value.label}
            {...picking}
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

export type Keys = Record<string, (() => void) | undefined>;

/** These may be held down. */
const REPEATED: string[] = [KEYS.previous, KEYS.next, KEYS.previousChange, KEYS.nextChange];

/** Act on keys, unless somebody is typing or reads the help. */
export function useKeys(keys: Keys): void {
  // What can be seen can be answered: not later than it is painted.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== "range";
      if (event.ctrlKey || event.metaKey || event.altKey || typing || event.defaultPrevented) return;
      const act = keys[event.key];
      if (!act || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      if (!event.repeat || REPEATED.includes(event.key)) act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
