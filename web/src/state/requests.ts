// Answers of the server: fetched once, shared, and kept on the screen while newer ones are on their way.

import { QueryClient, useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import type { Answers } from "../api";
import { get, type Parameters, target } from "../client";

/** The server is on this machine: no connection to wait for, and an error is shown at once. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: "always",
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        gcTime: 60_000,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** Whether the run is still being recorded: then the same request may get another answer. */
export const Growing = createContext(false);

export interface Fetched<T> {
  data: T | null;
  error: string;
  loading: boolean;
  /** The data is the answer to an earlier request: it stays until the new one is there. */
  stale: boolean;
}

/** Fetch an answer whenever the request changes; null: nothing to fetch. `again` fetches it anew when it changes. */
export function useAnswer<P extends keyof Answers>(
  path: P | null,
  parameters: Parameters = {},
  again: string | number = 0,
): Fetched<Answers[P]> {
  const growing = useContext(Growing);
  const wanted = path === null ? null : target(path, parameters);
  const found = useQuery({
    queryKey: [wanted?.path ?? null, wanted?.query ?? null, growing, again, path] as const,
    queryFn: ({ signal }) => get(path as P, parameters, signal),
    enabled: path !== null,
    staleTime: growing ? 0 : Number.POSITIVE_INFINITY,
    // A panel is never blank in between: what it showed stays until the new answer is there.
    placeholderData: (previous, query) => (path !== null && query?.queryKey[4] === path ? previous : undefined),
  });
  const loading = found.isFetching;
  if (found.error) return { data: null, error: found.error.message, loading, stale: false };
  return { data: found.data ?? null, error: "", loading, stale: found.isPlaceholderData };
}

/** What is shown: what is wanted if its answers have arrived, until then what was shown before; null: nothing yet. */
export function useArrived<T>(wanted: T | null, hasArrived: boolean): T | null {
  const [last, setLast] = useState<T | null>(null);
  const name = JSON.stringify(wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for what is wanted
  useEffect(() => {
    if (hasArrived) setLast(wanted);
  }, [hasArrived, name]);
  return hasArrived ? wanted : last;
}
