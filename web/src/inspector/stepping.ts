// What is known of the call in the middle at the selected time, and how to move through its time.

import { useQueryClient } from "@tanstack/react-query";
import type { Events as EventList, Marks, Source } from "../api";
import { get } from "../client";
import { KEYS } from "../keys";
import { useKeys } from "../state/keys";
import { usePage } from "../state/page";
import { type Fetched, useAnswer } from "../state/requests";

/** Events that are fetched with the call itself. */
const FIRST_EVENTS = 500;

export interface Stepping {
  events: Fetched<EventList>;
  source: Fetched<Source>;
  /** The events that changed the picked value. */
  marked: Fetched<Marks>;
  setTime: (time: number | null) => void;
  toEvent: (index: number) => void;
  step: (by: 1 | -1) => void;
  /** Go to the next or previous change of the picked value. */
  jump: (by: 1 | -1) => void;
}

/** Several parts of the page use it: what is fetched is shared. */
export function useStepping(): Stepping {
  const queries = useQueryClient();
  const { number: call, location, go, again } = usePage();
  const { time, since, place } = location;
  const events = useAnswer("calls/{call}/events", { call, time, count: FIRST_EVENTS }, again);
  const source = useAnswer("calls/{call}/source", { call, time, since }, again);
  const asked = place ? { call: place.of, place: place.path, time: place.at } : {};
  const marked = useAnswer(place ? "calls/{call}/marks" : null, { ...asked, mark: call }, again);

  const setTime = (to: number | null) => go({ time: to }, true);
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
    // Events of another time will do, those of another call that are still shown will not.
    if (!events.data?.count || events.data.call !== call) return;
    if (time === null) toEvent(by < 0 ? events.data.count - 1 : 0);
    else {
      const to = neighbour(events.data, time, by);
      if (to !== null) setTime(to);
    }
  };
  const jump = (by: 1 | -1) => {
    const now = time ?? (by > 0 ? -1 : Number.MAX_SAFE_INTEGER);
    const times = (marked.data?.marks ?? []).map((mark) => mark[1]);
    const to = by > 0 ? times.find((t) => t > now) : times.findLast((t) => t < now);
    if (to !== undefined) setTime(to);
  };
  return { events, source, marked, setTime, toEvent, step, jump };
}

/** The keys that move through time. */
export function useSteppingKeys({ step, jump }: Stepping): void {
  useKeys({
    [KEYS.previous]: () => step(-1),
    [KEYS.next]: () => step(1),
    [KEYS.previousChange]: () => jump(-1),
    [KEYS.nextChange]: () => jump(1),
  });
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
