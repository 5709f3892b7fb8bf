// A value as a table of any size: its rows are fetched when they come into view, and the server sorts them.

import { useState } from "react";
import type { Grid, GridHead, GridRow } from "../api";
import { get } from "../client";
import { LongRows } from "../lists/LongRows";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useAnswer } from "../state/requests";
import type { OpenedProps } from "./registry";
import styles from "./table.module.css";
import { type Sorting, sortedBy, sortWord, widthsOf } from "./tables";
import { MOST_ROWS, useUnfoldedRows } from "./unfolding";

/** Of a row, in pixels. */
const ROW = 24;
/** Rows that are always in sight. */
const FEWEST = 3;

export default function Table({ value, path, ...picking }: OpenedProps) {
  const { time, against, pick, picked } = picking;
  const [sorting, setSorting] = useState<Sorting>(null);
  const asked = {
    object: value.object,
    time,
    other: against ?? null,
    column: sorting?.column ?? null,
    order: sorting?.descending ? "down" : null,
  };
  const found = useAnswer("objects/{object}/grid", { ...asked, count: MOST_ROWS });
  const room = useUnfoldedRows(picking.side, path) ?? MOST_ROWS;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Loading…</State>;
  const grid = found.data;
  const widths = widthsOf(grid);
  const columns = { gridTemplateColumns: widths.map((width) => `${width}ch`).join(" ") };
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const word = against !== undefined && against > time ? "became" : "was";
  return (
    <div className={styles.framed} data-testid="table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={styles.sideways} tabIndex={0} aria-label={`${path} as a table, scrolls`}>
        {/* biome-ignore lint/a11y/useSemanticElements: its rows are drawn where they are seen */}
        <div
          role="table"
          aria-label={path}
          aria-rowcount={grid.known + 1}
          className={styles.table}
          style={{
            minWidth: `calc(${whole}ch + 16px)`,
            height: (Math.min(grid.known, Math.max(room, FEWEST)) + 1) * ROW + 6,
          }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: rows of a table are not focused */}
          <div role="row" className={cx(styles.row, styles.heads)} style={columns} aria-rowindex={1}>
            {/* biome-ignore lint/a11y/useSemanticElements: as above */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            <span role="columnheader" className={styles.number}>
              <span className={shared.visuallyHidden}>Row</span>
            </span>
            {grid.heads.map((head, at) => (
              <HeadCell
                key={head.name}
                head={head}
                sorting={sorting?.column === at ? sorting : null}
                onSort={() => setSorting(sortedBy(sorting, at))}
              />
            ))}
          </div>
          <LongRows<GridRow>
            name={`grid ${JSON.stringify(asked)}`}
            stamp={`${grid.known}`}
            count={grid.known}
            height={ROW}
            here={-1}
            fetchBlock={async (query, signal) =>
              (await get("objects/{object}/grid", { ...asked, ...query }, signal)).some
            }
            list={{ className: styles.body, role: "rowgroup" }}
            row={(row, at) => (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              <div
                role="row"
                aria-rowindex={at + 2}
                className={cx(styles.row, row.new && styles.added)}
                style={columns}
                data-testid="table-row"
              >
                {/* biome-ignore lint/a11y/useSemanticElements: as above */}
                {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
                <span role="rowheader" className={styles.number}>
                  {row.label}
                  {row.new && <span className={shared.visuallyHidden}> new</span>}
                </span>
                {row.cells.map((cell, column) => (
                  <Cell
                    key={grid.heads[column]?.name ?? column}
                    text={cell}
                    other={row.others[column] ?? null}
                    word={word}
                    place={placeOf(path, row, grid.heads[column])}
                    pick={pick}
                    picked={picked}
                  />
                ))}
              </div>
            )}
          />
        </div>
      </section>
      <p className={styles.note}>{notes(grid).join(" · ")}</p>
    </div>
  );
}

function placeOf(path: string, row: GridRow, head: GridHead | undefined): string {
  return row.step && head?.step ? path + row.step + head.step : "";
}

function notes(grid: Grid): string[] {
  const { rows, known, more_columns: more } = grid;
  const size = `${count(rows, "row")}, ${count(grid.heads.length + more, "column")}`;
  return [
    size,
    ...(more > 0 ? [`${count(more, "column")} not shown`] : []),
    ...(known < rows ? [`only the first ${count(known, "row")} recorded`] : []),
  ];
}

interface HeadProps {
  head: GridHead;
  /** How it is sorted by this column; null: it is not. */
  sorting: Sorting;
  onSort: () => void;
}

function HeadCell({ head, sorting, onSort }: HeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: its rows are drawn where they are seen
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it is
    <span role="columnheader" aria-sort={sortWord(sorting)} className={styles.head}>
      <button type="button" onClick={onSort} title={`Sort by ${head.name}`}>
        {head.name}
        {sorting && <span aria-hidden="true">{sorting.descending ? " ▼" : " ▲"}</span>}
        {head.dtype && <span className={styles.dtype}> {head.dtype}</span>}
      </button>
    </span>
  );
}

interface CellProps {
  text: string;
  /** What it was or became; null: the same. */
  other: string | null;
  word: string;
  /** Its path; "": it has none. */
  place: string;
  pick: ((path: string) => void) | undefined;
  picked: string | undefined;
}

function Cell({ text, other, word, place, pick, picked }: CellProps) {
  const isChanged = other !== null;
  const told = isChanged ? `${text || "nothing"} (${word} ${other || "nothing"})` : text;
  const inner = (
    <>
      {text}
      {isChanged && (
        <span className={shared.visuallyHidden}>
          , {word} {other || "nothing"}
        </span>
      )}
    </>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: its rows are drawn where they are seen
    <span
      role="cell"
      className={cx(
        styles.cell,
        isChanged && styles.changed,
        /^-?[\d.]/.test(text) && styles.numeric,
        place !== "" && picked === place && styles.picked,
      )}
      title={told}
      data-changed={isChanged || undefined}
    >
      {place && pick ? (
        <button type="button" aria-pressed={picked === place} onClick={() => pick(place)}>
          {inner}
        </button>
      ) : (
        inner
      )}
    </span>
  );
}
