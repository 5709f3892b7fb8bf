// A list of any length whose rows are fetched by blocks when they come into view.

import { type HTMLAttributes, type ReactNode, useEffect, useRef } from "react";
import { useBlocks, useLongList } from "./longlist";
import { State } from "./marks";

const BLOCK = 200;

interface Props<T> {
  /** Names what is listed: when it changes, all is fetched anew. */
  stamp: string;
  count: number;
  height: number;
  /** The row that is brought into view; -1: none. */
  here: number;
  fetchBlock: (query: { first: number; count: number }, signal: AbortSignal) => Promise<T[]>;
  row: (item: T, index: number) => ReactNode;
  /** Of the element that scrolls; without a role of its own it is around a list. */
  list: HTMLAttributes<HTMLDivElement>;
}

export function LongRows<T>({ stamp, count, height, here, fetchBlock, row, list: attributes }: Props<T>) {
  const list = useLongList(count, height);
  const visible = { first: list.items[0]?.index ?? 0, last: list.items.at(-1)?.index ?? 0 };
  const blocks = useBlocks<T>(stamp, BLOCK, count, visible, (first, signal) =>
    fetchBlock({ first, count: BLOCK }, signal),
  );
  const show = useRef(list.show);
  show.current = list.show;
  useEffect(() => {
    if (here >= 0 && stamp) show.current(here);
  }, [here, stamp]);

  const [View, Place] = attributes.role ? (["div", "div"] as const) : (["ul", "li"] as const);
  const { "aria-label": label, ...others } = attributes;
  const [outer, inner] = attributes.role ? [label, undefined] : [undefined, label];
  if (blocks.error) return <State kind="error">{blocks.error}</State>;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a label if it has a role
    <div
      ref={list.scroller}
      {...others}
      aria-label={outer}
      aria-busy={blocks.pending}
      className={`rows ${attributes.className ?? ""}`}
    >
      <View className="rows-view" aria-label={inner}>
        {list.items.map((item) => {
          const found = blocks.row(item.index);
          const style = { transform: `translateY(${item.start - list.offset}px)`, height };
          return (
            <Place key={item.index} className="row-place" style={style}>
              {found === undefined ? <div className="row waiting" aria-hidden="true" /> : row(found, item.index)}
            </Place>
          );
        })}
      </View>
      <div style={{ height: list.height }} aria-hidden="true" />
    </div>
  );
}
