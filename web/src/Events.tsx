// The events of a call; selecting one sets the time everywhere.

import { useEffect, useRef } from "react";
import { type Events as EventList, get, type Mark, type TraceEvent } from "./api";
import { useBlocks, useLongList } from "./longlist";
import { State } from "./marks";

const ROW = 24;
const BLOCK = 200;

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
  const list = useLongList(total, ROW);
  const first = list.items[0]?.index ?? 0;
  const last = list.items.at(-1)?.index ?? 0;
  const blocks = useBlocks<TraceEvent>(`${call} ${total}`, BLOCK, total, { first, last }, async (from, signal) => {
    const found = await get<EventList>(`calls/${call}/events`, { first: from, count: BLOCK }, signal);
    return found.events;
  });
  const how = new Map(marks.map(([index, , kind]) => [index, kind]));
  const here = time === null ? -1 : (events?.index ?? -1);
  const show = useRef(list.show);
  show.current = list.show;
  useEffect(() => {
    if (here >= 0) show.current(here);
  }, [here, call]);

  if (blocks.error) return <State kind="error">{blocks.error}</State>;
  return (
    <div
      ref={list.scroller}
      className="rows events"
      role="listbox"
      tabIndex={0}
      aria-label="Events of the call"
      aria-activedescendant={here >= 0 ? `event-${here}` : undefined}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        onStep(event.key === "ArrowDown" ? 1 : -1);
      }}
    >
      <div className="rows-view">
        {list.items.map((item) => {
          const event = blocks.row(item.index);
          const mark = how.get(item.index);
          const isLater = event && time !== null && event.time > time;
          const classes = [
            "row event",
            event?.kind,
            item.index === here && "selected",
            mark && `mark-${mark}`,
            isLater && "later",
          ];
          return (
            <div
              key={item.index}
              className="row-place"
              style={{ transform: `translateY(${item.start - list.offset}px)` }}
            >
              {event ? (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
                // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus; aria-activedescendant names the row
                <div
                  id={`event-${item.index}`}
                  role="option"
                  aria-selected={item.index === here}
                  className={classes.filter(Boolean).join(" ")}
                  onClick={() => onTime(event.time)}
                >
                  <span className="event-time">{event.time}</span>
                  <span className="event-sign" aria-hidden="true">
                    {SIGNS[event.kind] ?? ""}
                  </span>
                  <EventText event={event} source={source} onCall={onCall} />
                  {mark && (
                    <span className="event-mark">{mark === "changed" ? "changes it" : "changes it inside"}</span>
                  )}
                </div>
              ) : (
                <div className="row waiting" aria-hidden="true" />
              )}
            </div>
          );
        })}
      </div>
      <div style={{ height: list.height }} aria-hidden="true" />
    </div>
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
        <button
          type="button"
          className="link"
          onClick={(click) => {
            click.stopPropagation();
            onCall(String(event.call));
          }}
        >
          #{event.call}
        </button>{" "}
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
