// The events of a call; selecting one sets the time everywhere.

import type { KeyboardEvent } from "react";
import { type Events as EventList, get, type Mark, type TraceEvent } from "./api";
import { LongRows } from "./LongRows";

const ROW = 24;

interface Props {
  call: number;
  events: EventList | null;
  time: number | null;
  marks: readonly Mark[];
  source: ReadonlyMap<number, string>;
  onTime: (time: number) => void;
  onCall: (key: string, time?: number) => void;
  onStep: (by: 1 | -1) => void;
}

const SIGNS: Record<string, string> = {
  line: "",
  branch: "⤷",
  given: "⇥",
  write: "=",
  delete: "⌫",
  call: "→",
  caught: "⚑",
  yield: "⇠",
  resume: "⇢",
  print: "❯",
  return: "⏎",
  raise: "⚡",
  dropped: "✂",
};

export function Events({ call, events, time, marks, source, onTime, onCall, onStep }: Props) {
  const total = events?.count ?? 0;
  const how = new Map(marks.map(([index, , kind]) => [index, kind]));
  const here = time === null ? -1 : (events?.index ?? -1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") event.currentTarget.querySelector<HTMLElement>(".selected .link")?.click();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    onStep(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <LongRows<TraceEvent>
      stamp={`${call} ${total}`}
      count={total}
      height={ROW}
      here={here}
      fetchBlock={async (query, signal) => (await get<EventList>(`calls/${call}/events`, query, signal)).events}
      list={{
        className: "events",
        role: "listbox",
        tabIndex: 0,
        "aria-label": "Events of the call",
        "aria-activedescendant": here >= 0 ? `event-${here}` : undefined,
        onKeyDown,
      }}
      row={(event, index) => {
        const mark = how.get(index);
        const isLater = time !== null && event.time > time;
        const classes = [
          "row event",
          event.kind,
          index === here && "selected",
          mark && `mark-${mark}`,
          isLater && "later",
        ];
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus; aria-activedescendant names the row
          <div
            id={`event-${index}`}
            role="option"
            aria-selected={index === here}
            className={classes.filter(Boolean).join(" ")}
            onClick={() => onTime(event.time)}
          >
            <span className="event-time">{event.time}</span>
            <span className="event-sign" aria-hidden="true">
              {SIGNS[event.kind] ?? ""}
            </span>
            <EventText event={event} source={source} onCall={onCall} />
            {mark && <span className="event-mark">{mark === "changed" ? "changes it" : "changes it inside"}</span>}
          </div>
        );
      }}
    />
  );
}

function EventText({
  event,
  source,
  onCall,
}: {
  event: TraceEvent;
  source: ReadonlyMap<number, string>;
  onCall: Props["onCall"];
}) {
  if (event.kind === "line") {
    return (
      <span className="event-text line-text">
        <span className="event-line">{event.line}</span>
        <code>{source.get(event.line)?.trim() ?? ""}</code>
      </span>
    );
  }
  if (event.kind === "branch") {
    return (
      <span className="event-text quiet">
        line {event.line} is {event.taken ? "true" : "false"}
      </span>
    );
  }
  if (event.kind === "call") {
    return (
      <span className="event-text">
        {/* biome-ignore lint/a11y: an option has no buttons in it; the list takes Enter */}
        <span
          className="link"
          onClick={(click) => {
            click.stopPropagation();
            onCall(String(event.call));
          }}
        >
          #{event.call}
        </span>{" "}
        <code>{event.value}</code>
      </span>
    );
  }
  const written = event.kind === "write" || event.kind === "given";
  return (
    <span className="event-text">
      {written || event.kind === "delete" ? (
        <span className="label">{event.place}</span>
      ) : (
        <span className="quiet">{event.kind}</span>
      )}
      {written ? " = " : " "}
      <code>{event.value}</code>
    </span>
  );
}
