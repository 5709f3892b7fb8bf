// Lists of any length: only the visible rows are in the page.

import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { MAX_SCROLL, ScrollPosition } from "./position";

/** Rows above and below the view that are in the page, too. */
const OVERSCAN = 12;

export interface LongList {
  scroller: React.RefObject<HTMLDivElement | null>;
  items: VirtualItem[];
  /** The top of the view, in pixels of the list. */
  offset: number;
  /** Of what is scrolled, in pixels. */
  height: number;
  show: (index: number) => void;
}

export function useLongList(count: number, rowHeight: number): LongList {
  const scroller = useRef<HTMLDivElement | null>(null);
  const [position] = useState(() => new ScrollPosition());
  // The virtualizer asks for a new drawing only if other rows come into view; they move before that.
  const [offset, setOffset] = useState(0);
  const total = count * rowHeight;
  useLayoutEffect(() => position.resize(total), [position, total]);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    observeElementOffset: (instance, report) => {
      const element = instance.scrollElement;
      if (!element) return undefined;
      return position.follow(element, (to, isScrolling) => {
        report(to, isScrolling);
        setOffset(to);
      });
    },
    scrollToFn: (offset, _, instance) => {
      if (instance.scrollElement) position.moveTo(instance.scrollElement, offset);
    },
  });

  const isScaled = total > MAX_SCROLL;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isScaled) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      position.moveBy(element, event.deltaY);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [isScaled, position]);

  const show = useCallback(
    (index: number) => {
      if (scroller.current) position.show(scroller.current, index * rowHeight, rowHeight);
    },
    [position, rowHeight],
  );

  return {
    scroller,
    items: virtualizer.getVirtualItems(),
    offset,
    height: Math.min(total, MAX_SCROLL),
    show,
  };
}
