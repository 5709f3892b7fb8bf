// What tables compute: how wide columns are, and what a click on a head sorts by.

import type { Grid } from "../api";

const NARROWEST = 6;
const WIDEST = 34;
/** Columns of a cell's padding, and of the sign of sorting. */
const BESIDE = 3;

export type Sorting = { column: number; descending: boolean } | null;

/** The next way of sorting after a click on a column: ascending, descending, as the program has it. */
export function sortedBy(now: Sorting, column: number): Sorting {
  if (now?.column !== column) return { column, descending: false };
  return now.descending ? null : { column, descending: true };
}

export function sortWord(sorting: Sorting): "ascending" | "descending" | "none" {
  if (!sorting) return "none";
  return sorting.descending ? "descending" : "ascending";
}

/** How many characters wide each column is, that of the row's labels first. */
export function widthsOf(grid: Pick<Grid, "heads" | "some" | "known">): number[] {
  const labels = [String(grid.known), ...grid.some.map(({ label }) => label)];
  const columns = grid.heads.map((head, at) => [
    `${head.name}${head.dtype ? ` ${head.dtype}` : ""}`,
    ...grid.some.map(({ cells }) => cells[at] ?? ""),
  ]);
  return [labels, ...columns].map(
    (texts) => Math.min(Math.max(...texts.map(({ length }) => length), NARROWEST - BESIDE), WIDEST) + BESIDE,
  );
}
