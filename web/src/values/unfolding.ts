// Which values of a question are unfolded by themselves: as many as there is room for.
//
// Values whose line leaves something out are opened, the outermost first, as long as the rows of their parts fit into
// the panel; then the sections that are folded because they matter less. A panel that gets another size is filled anew.
// What the user opens or closes stays as they left it.

import { createContext, useContext, useLayoutEffect, useRef, useState } from "react";
import type { Value } from "../api";

/** Of a row, in pixels. */
const ROW = 21;
/** Of a letter of a value, in pixels. */
const COLUMN = 7.6;
/** Rows above the parts of an opened value, which come later: the choice of views, the heads of a table. */
const ABOVE = 2;
/** A list of more parts is not opened by itself. */
const MOST = 50;
/** Rows of a table that make it worth opening: the others are reached by scrolling in it. */
const FEWEST_ROWS = 3;
/** Rows of a table that are seen without scrolling. */
export const MOST_ROWS = 14;
/** Of a row of a table, in rows. */
const TABLE_ROW = 24 / ROW;
/** What stands around the rows of a table: the choice of views, the heads, how large it is. */
const AROUND_TABLE = 100 / ROW;
/** Values that are shown as tables, whatever is in them. */
const FRAME = /^(DataFrame|Series) |^ndarray\(\d+(, \d+)?,?\)/;
/** A line of more columns is easier to read as a list. */
const LONG = 100;

export interface Candidate {
  /** Where the value is shown, and its path: the same path may be shown twice. */
  key: string;
  value: Value;
  path: string;
  side: string;
}

/** A section that is folded, unless there is room for it. */
export interface FoldedSection {
  key: string;
  rows: number;
}

export function keyOf(side: string, path: string): string {
  return `${side} ${path}`;
}

/** Opening it shows something that its line leaves out. */
export function gains(value: Value): boolean {
  if (value.object === 0 || value.size === 0 || value.repeated) return false;
  if (isFrame(value)) return true;
  if (value.size > MOST) return false;
  return value.summary.includes("…") || (value.summary.length > LONG && value.parts.some(isReadAlone));
}

/** A part that is easier to read on a line of its own: it has parts, or a name. */
function isReadAlone({ size, label }: Value): boolean {
  return size > 0 || !/^\[\d+\]$/.test(label);
}

function isFrame({ type, summary }: Value): boolean {
  return /^(DataFrame|Series|ndarray)$/.test(type) && FRAME.test(summary);
}

/** The rows that a value is opened in, given how many there is room for, and how many it takes with what is around. */
function roomFor(value: Value, room: number): { rows: number; needed: number } {
  if (!isFrame(value)) return { rows: value.size, needed: value.size + ABOVE };
  const least = Math.min(value.size, FEWEST_ROWS);
  const fitting = Math.floor((room - AROUND_TABLE) / TABLE_ROW);
  const rows = Math.max(Math.min(value.size, MOST_ROWS, fitting), least);
  return { rows, needed: rows * TABLE_ROW + AROUND_TABLE };
}

/** What is open by itself; of a table, in how many rows. */
export type Open = ReadonlyMap<string, number>;

/**
 * The keys of the values and sections to open, given how many rows there is room for.
 *
 * `columns`: of a row. The line of an opened value takes one row, however long it is.
 */
export function unfolded(
  candidates: readonly Candidate[],
  rows: number,
  sections: readonly FoldedSection[] = [],
  columns = Number.POSITIVE_INFINITY,
): Map<string, number> {
  const open = new Map<string, number>();
  let left = rows;
  let level = [...candidates];
  while (level.length > 0) {
    const next: Candidate[] = [];
    for (const { value, path, side } of level) {
      const saved = Math.max(Math.ceil((value.label.length + value.summary.length) / columns) - 1, 0);
      if (!gains(value)) continue;
      const { rows, needed } = roomFor(value, left + saved);
      if (needed - saved > left) continue;
      left -= needed - saved;
      open.set(keyOf(side, path), rows);
      if (isFrame(value)) continue;
      for (const part of value.parts) {
        next.push({ key: keyOf(side, path + part.label), value: part, path: path + part.label, side });
      }
    }
    level = next;
  }
  for (const section of sections) {
    if (section.rows > left) continue;
    left -= section.rows;
    open.set(section.key, section.rows);
  }
  return open;
}

const NONE: Open = new Map();
const Unfolded = createContext<Open>(NONE);
export const UnfoldedProvider = Unfolded.Provider;

export function useIsUnfolded(side: string | undefined, path: string): boolean {
  return useContext(Unfolded).has(keyOf(side ?? "", path));
}

/** In how many rows a table is unfolded by itself; undefined: it was not. */
export function useUnfoldedRows(side: string | undefined, path: string): number | undefined {
  return useContext(Unfolded).get(keyOf(side ?? "", path));
}

export function useIsSectionUnfolded(key: string): boolean {
  return useContext(Unfolded).has(key);
}

/** What to open in an element that scrolls; `shown` names what it shows. */
export function useUnfolding(
  shown: string,
  candidates: readonly Candidate[],
  sections: readonly FoldedSection[] = NO_SECTIONS,
) {
  const content = useRef<HTMLDivElement | null>(null);
  const [height, setHeight] = useState(0);
  const of = `${shown} ${height}`;
  const [state, setState] = useState<{ of: string; open: Open }>({ of: "", open: NONE });
  useLayoutEffect(() => {
    // Not the element that scrolls: it becomes smaller when something is picked, and that must not fold anything.
    const panel = content.current?.closest("section");
    if (!panel) return;
    const observer = new ResizeObserver(() => setHeight(panel.clientHeight));
    observer.observe(panel);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const inner = content.current;
    const outer = inner?.parentElement;
    if (!inner || !outer) return;
    const style = getComputedStyle(outer);
    const padding = Number.parseFloat(style.paddingTop) + Number.parseFloat(style.paddingBottom);
    const room = outer.clientHeight - padding - inner.offsetHeight;
    const columns = Math.max(Math.floor(inner.offsetWidth / COLUMN), 1);
    // Nothing of this is unfolded yet: what is left below it is the room there is.
    if (state.of !== of) setState({ of, open: unfolded(candidates, room / ROW, sections, columns) });
    // Some lines took more than a row each.
    else if (room < 0 && state.open.size > 0) setState({ of, open: new Map([...state.open].slice(0, -1)) });
  }, [of, candidates, sections, state]);
  return { content, open: state.of === of ? state.open : NONE };
}

const NO_SECTIONS: readonly FoldedSection[] = [];
