// A list of any length whose rows are fetched in blocks when they come into view.

import { type HTMLAttributes, type ReactNode, useEffect } from "react";
import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import { useBlocks, type WithRows } from "./blocks";
import { useLongList } from "./longlist";
import styles from "./rows.module.css";

/** Rows in a block. */
const BLOCK = 200;

interface Props<T> {
  /** Names the list. */
  name: string;
  /** Names what is in it: when it changes, everything is fetched anew. */
  stamp: string;
  count: number;
  /** Of a row, in pixels. */
  height: number;
  /** The row that is brought into view; -1: none. */
  here: number;
  fetchBlock: (query: { first: number; count: number }, signal: AbortSignal) => Promise<T[]>;
  /** The first rows, if they are there already. */
  known?: readonly T[] | undefined;
  row: (item: T, index: number) => ReactNode;
  /** Of the element that scrolls. Without a role of its own it contains a list. */
  list: HTMLAttributes<HTMLDivElement>;
}

export function LongRows<T>({ name, stamp, count, height, here, fetchBlock, known, row, list: attributes }: Props<T>) {
  const { items, offset, height: whole, scroller, show } = useLongList(count, height);
  const blocks = useBlocks<T, WithRows<T>>({
    name,
    stamp,
    size: BLOCK,
    count,
    visible: { first: items[0]?.index ?? 0, last: items.at(-1)?.index ?? 0 },
    known: (first) => {
      const rows = known?.slice(first, first + BLOCK) ?? [];
      return rows.length > 0 && rows.length === Math.min(BLOCK, count - first) ? { rows } : undefined;
    },
    fetchBlock: async (first, signal) => ({ rows: await fetchBlock({ first, count: BLOCK }, signal) }),
  });
  useEffect(() => {
    if (here >= 0 && stamp) show(here);
  }, [here, stamp, show]);

  const [View, Place] = attributes.role ? (["div", "div"] as const) : (["ul", "li"] as const);
  const { "aria-label": label, ...others } = attributes;
  const [outer, inner] = attributes.role ? [label, undefined] : [undefined, label];
  if (blocks.error) return <State kind="error">{blocks.error}</State>;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a label if it has a role
    <div
      ref={scroller}
      {...others}
      aria-label={outer}
      aria-busy={blocks.pending}
      className={cx(styles.rows, attributes.className)}
    >
      <View className={styles.rowsView} aria-label={inner}>
        {items.map((item) => {
          const found = blocks.row(item.index);
          const style = { transform: `translateY(${item.start - offset}px)`, height };
          return (
            <Place key={item.index} className={styles.rowPlace} style={style}>
              {found === undefined ? (
                <div className={cx(styles.row, styles.waiting)} data-testid="waiting" aria-hidden="true" />
              ) : (
                row(found, item.index)
              )}
            </Place>
          );
        })}
      </View>
      <div style={{ height: whole }} aria-hidden="true" />
    </div>
  );
}
