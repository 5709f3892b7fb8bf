// The events of a call; selecting one sets the time everywhere.

import type { KeyboardEvent } from "react";
import type { EventKind, Events as EventList, Mark, TraceEvent } from "../api";
import { get } from "../client";
import { LongRows } from "../lists/LongRows";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import valueStyles from "../values/values.module.css";
import styles from "./inspector.module.css";

/** Of a row, in pixels. */
const ROW = 24;

interface Props {
  events: EventList | null;
  marks: readonly Mark[];
  source: ReadonlyMap<number, string>;
  onTime: (time: number) => void;
  onStep: (by: 1 | -1) => void;
}

const SIGNS: Record<EventKind, string> = {
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
  drop: "✂",
};

/** An element of a set, as in seen{'x'}. */
const MEMBER = /^(.*?)\{(.*)\}$/;

/** Of events that are shown by their kind alone. */
const WORDS: Partial<Record<EventKind, string>> = { drop: "dropped" };

export function Events({ events, marks, source, onTime, onStep }: Props) {
  const { number, location } = usePage();
  const { time } = location;
  // The events of another call stay until those of this one are there.
  const call = events?.call ?? number;
  const total = events?.count ?? 0;
  const how = new Map(marks.map(([index, , kind]) => [index, kind]));
  const here = time === null ? -1 : (events?.index ?? -1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter")
      event.currentTarget.querySelector<HTMLElement>("[aria-selected=true] [data-link]")?.click();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    onStep(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <LongRows<TraceEvent>
      name={`events of ${call}`}
      stamp={`${total}`}
      count={total}
      height={ROW}
      here={here}
      known={events?.events}
      fetchBlock={async (query, signal) => (await get("calls/{call}/events", { call, ...query }, signal)).events}
      list={{
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
          rowStyles.row,
          styles.event,
          event.kind === "raise" && styles.raise,
          event.kind === "caught" && styles.caught,
          index === here && styles.selected,
          mark === "changed" && styles.markChanged,
          mark === "inside" && styles.markInside,
          isLater && styles.later,
        ];
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus; aria-activedescendant names the row
          <div
            id={`event-${index}`}
            role="option"
            aria-selected={index === here}
            className={cx(...classes)}
            data-kind={event.kind}
            data-mark={mark}
            onClick={() => onTime(event.time)}
          >
            <span className={styles.eventTime} data-testid="event-time">
              {event.time}
            </span>
            <span className={styles.eventSign} aria-hidden="true">
              {SIGNS[event.kind]}
            </span>
            <EventText event={event} source={source} />
            {mark && (
              <span className={styles.eventMark}>{mark === "changed" ? "changes it" : "changes it inside"}</span>
            )}
          </div>
        );
      }}
    />
  );
}

function EventText({ event, source }: { event: TraceEvent; source: ReadonlyMap<number, string> }) {
  const { look } = usePage();
  if (event.kind === "line") {
    return (
      <span className={styles.eventText} data-testid="event-text">
        <span className={styles.eventLine}>{event.line}</span>
        <code>{source.get(event.line)?.trim() ?? ""}</code>
      </span>
    );
  }
  if (event.kind === "branch") {
    return (
      <span className={cx(styles.eventText, shared.quiet)} data-testid="event-text">
        line {event.line} is {event.taken ? "true" : "false"}
      </span>
    );
  }
  if (event.kind === "call") {
    return (
      <span className={styles.eventText} data-testid="event-text">
        {/* biome-ignore lint/a11y: an option has no buttons in it; the list takes Enter */}
        <span
          className={shared.link}
          data-link
          onClick={(click) => {
            click.stopPropagation();
            look(String(event.call));
          }}
        >
          #{event.call}
        </span>{" "}
        <code>{event.value}</code>
      </span>
    );
  }
  const member = MEMBER.exec(event.place);
  if (member && (event.kind === "write" || event.kind === "delete") && !event.value) {
    return (
      <span className={styles.eventText} data-testid="event-text">
        <span className={cx(valueStyles.label, styles.eventPlace)}>{member[1]}</span>{" "}
        <span className={shared.quiet}>{event.kind === "write" ? "added" : "removed"}</span> <code>{member[2]}</code>
      </span>
    );
  }
  const written = event.kind === "write" || event.kind === "given";
  return (
    <span className={styles.eventText} data-testid="event-text">
      {written || event.kind === "delete" ? (
        <span className={cx(valueStyles.label, styles.eventPlace)}>{event.place}</span>
      ) : (
        <span className={shared.quiet}>{WORDS[event.kind] ?? event.kind}</span>
      )}
      {written ? " = " : " "}
      <code>{event.value}</code>
    </span>
  );
}
