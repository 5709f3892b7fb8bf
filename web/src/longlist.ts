// Lists of any length: only what is visible is in the page, and only that is fetched.
//
// A browser cannot scroll further than some ten million pixels. A list that is longer gets a scroll bar of
// that length; `exact` is where it is in the list, and the wheel moves that, pixel by pixel.

import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState } from "react";

const LONGEST = 8_000_000;

export interface LongList {
  scroller: React.RefObject<HTMLDivElement | null>;
  items: VirtualItem[];
  /** Where the top of the view is, in pixels of the list. */
  offset: number;
  height: number;
  show: (index: number) => void;
}

export function useLongList(count: number, rowHeight: number): LongList {
  const scroller = useRef<HTMLDivElement | null>(null);
  const exact = useRef(0);
  const placed = useRef(-1);
  const tell = useRef<((offset: number, scrolling: boolean) => void) | null>(null);
  const total = count * rowHeight;
  const height = Math.min(total, LONGEST);
  const view = scroller.current?.clientHeight ?? 600;
  const scale = total > LONGEST ? (total - view) / (LONGEST - view) : 1;
  const scaling = useRef(scale);
  scaling.current = scale;

  const move = useCallback((offset: number) => {
    const element = scroller.current;
    if (!element) return;
    exact.current = offset;
    element.scrollTop = offset / scaling.current;
    placed.current = element.scrollTop;
    tell.current?.(offset, false);
  }, []);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    observeElementOffset: (instance, report) => {
      const element = instance.scrollElement;
      if (!element) return;
      tell.current = report;
      const onScroll = () => {
        if (Math.abs(element.scrollTop - placed.current) > 1 || scaling.current === 1) {
          exact.current = element.scrollTop * scaling.current;
        }
        report(exact.current, false);
      };
      report(exact.current, false);
      element.addEventListener("scroll", onScroll, { passive: true });
      return () => element.removeEventListener("scroll", onScroll);
    },
    scrollToFn: (offset) => move(offset),
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element || scale === 1) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const most = total - element.clientHeight;
      move(Math.max(0, Math.min(most, exact.current + event.deltaY)));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scale, total, move]);

  const show = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (!element) return;
      const top = index * rowHeight;
      if (top < exact.current || top + rowHeight > exact.current + element.clientHeight) {
        move(Math.max(0, top - element.clientHeight / 2));
      }
    },
    [move, rowHeight],
  );

  return { scroller, items: virtualizer.getVirtualItems(), offset: virtualizer.scrollOffset ?? 0, height, show };
}

interface Block<T> {
  stamp: string;
  rows: T[];
}

/** Fetch rows by blocks. What is known of an earlier stamp is shown until the new is there. */
export function useBlocks<T>(
  stamp: string,
  size: number,
  count: number,
  visible: { first: number; last: number },
  fetchBlock: (first: number, signal: AbortSignal) => Promise<T[]>,
): { row: (index: number) => T | undefined; error: string; pending: boolean } {
  const blocks = useRef(new Map<number, Block<T>>());
  const underway = useRef(new Map<string, AbortController>());
  const [, redraw] = useState(0);
  const [error, setError] = useState("");
  const fetching = useRef(fetchBlock);
  fetching.current = fetchBlock;
  // What comes next is fetched before it is needed.
  const from = Math.max(0, Math.floor(visible.first / size) - 1);
  const to = Math.min(Math.floor(visible.last / size) + 1, Math.max(0, Math.ceil(count / size) - 1));

  useEffect(() => {
    const middle = (from + to) / 2;
    const wanted = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const names = new Set(wanted.map((number) => `${number} ${stamp}`));
    // What is still wanted goes on: it may be slow, and asking again would not make it faster.
    for (const [name, abort] of underway.current) {
      if (!names.has(name)) abort.abort();
    }
    for (const number of wanted.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
      const name = `${number} ${stamp}`;
      if (blocks.current.get(number)?.stamp === stamp || underway.current.has(name)) continue;
      const abort = new AbortController();
      underway.current.set(name, abort);
      fetching
        .current(number * size, abort.signal)
        .then(
          (rows) => {
            blocks.current.set(number, { stamp, rows });
            forget(blocks.current, number);
            setError("");
          },
          (problem: Error) => {
            if (!abort.signal.aborted) setError(problem.message);
          },
        )
        .finally(() => {
          if (underway.current.get(name) === abort) underway.current.delete(name);
          redraw((n) => n + 1);
        });
      abort.signal.addEventListener("abort", () => underway.current.delete(name));
    }
  }, [stamp, from, to, size]);
  useEffect(() => {
    const left = underway.current;
    return () => {
      for (const abort of left.values()) abort.abort();
    };
  }, []);

  const row = (index: number) => blocks.current.get(Math.floor(index / size))?.rows[index % size];
  const isOld = (number: number) => blocks.current.get(number)?.stamp !== stamp;
  const pending = !error && Array.from({ length: to - from + 1 }, (_, i) => from + i).some(isOld);
  return { row, error, pending };
}

const KEPT = 40;

function forget<T>(blocks: Map<number, Block<T>>, near: number): void {
  if (blocks.size <= KEPT) return;
  const far = [...blocks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
  for (const number of far.slice(0, blocks.size - KEPT)) blocks.delete(number);
}
