// The rows of a long list, fetched in blocks when they come into view.

import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";

/** How long a block is kept that is out of view. */
const KEPT_MS = 15_000;

/** An answer that has rows. */
export interface WithRows<T> {
  rows: T[];
}

export interface BlockSource<T, A extends WithRows<T>> {
  /** Names the list. */
  name: string;
  /** Names what is in it: when it changes, everything is fetched anew. */
  stamp: string;
  /** Rows in a block. */
  size: number;
  count: number;
  visible: { first: number; last: number };
  fetchBlock: (first: number, signal: AbortSignal) => Promise<A>;
  /** The rows of a block that are there already: they need not be fetched. */
  known?: (first: number) => A | undefined;
}

export interface Blocks<T, A extends WithRows<T>> {
  /** A row; what is known by an earlier stamp is there until the new one is. */
  row: (index: number) => T | undefined;
  error: string;
  /** Some of the rows in view are missing or old. */
  pending: boolean;
  /** The newest answer for this stamp. */
  newest: A | undefined;
}

export function useBlocks<T, A extends WithRows<T>>(source: BlockSource<T, A>): Blocks<T, A> {
  const { name, stamp, size, fetchBlock, known } = source;
  const client = useQueryClient();
  const wanted = wantedBlocks(source);
  const found = useQueries({
    queries: wanted.map((block) => ({
      queryKey: ["block", name, block, stamp],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchBlock(block * size, signal),
      initialData: () => known?.(block * size),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: KEPT_MS,
      placeholderData: () => latest<A>(client, name, block),
    })),
  });
  const answers = new Map(wanted.map((block, index) => [block, found[index]?.data]));
  const fresh = found.filter((each) => each.isSuccess && !each.isPlaceholderData);
  const error = found.find((each) => each.error)?.error?.message ?? "";
  return {
    row: (index) => answers.get(Math.floor(index / size))?.rows[index % size],
    error,
    pending: !error && fresh.length < wanted.length,
    newest: fresh.reduce<(typeof fresh)[number] | undefined>(
      (best, each) => (best && best.dataUpdatedAt >= each.dataUpdatedAt ? best : each),
      undefined,
    )?.data,
  };
}

/** The blocks to have: those in view and one more on each side, the nearest to the middle first. */
export function wantedBlocks({
  size,
  count,
  visible,
}: Pick<BlockSource<unknown, WithRows<unknown>>, "size" | "count" | "visible">): number[] {
  const from = Math.max(0, Math.floor(visible.first / size) - 1);
  const to = Math.min(Math.floor(visible.last / size) + 1, Math.max(0, Math.ceil(count / size) - 1));
  const middle = (from + to) / 2;
  const blocks = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  return blocks.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

/** What is known of a block by the latest stamp that it was fetched for. */
function latest<A>(client: QueryClient, name: string, block: number): A | undefined {
  const known = client.getQueryCache().findAll({ queryKey: ["block", name, block] });
  const times = known.map(({ state }) => (state.data === undefined ? 0 : state.dataUpdatedAt));
  const best = times.indexOf(Math.max(...times));
  return known[best]?.state.data as A | undefined;
}
