// Titles of the calls in view, fetched a little after they come into view and kept.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Title } from "../api";
import { post } from "../client";

const MAX_KEPT = 20_000;
/** Wait until the scrolling pauses: what is passed by quickly is not read. */
const PAUSE_MS = 60;

class TitleStore {
  readonly #titles = new Map<number, { title: Title; version: number }>();

  get(call: number): Title | undefined {
    return this.#titles.get(call)?.title;
  }

  /** A call that had not completed may have by now. */
  isOld(call: number, version: number): boolean {
    const known = this.#titles.get(call);
    return !known || (!known.title.completed && known.version !== version);
  }

  add(titles: readonly Title[], version: number): void {
    if (this.#titles.size > MAX_KEPT) this.#titles.clear();
    for (const title of titles) this.#titles.set(title.call, { title, version });
  }
}

export interface Titles {
  title: (call: number) => Title | undefined;
  pending: boolean;
}

export function useTitles(calls: number[], version: number): Titles {
  const [store] = useState(() => new TitleStore());
  const wanted = calls.filter((call) => store.isOld(call, version));
  // What is wrong the rows show; a row without a title has its function's name.
  useQuery({
    queryKey: ["titles", wanted, version],
    queryFn: async ({ signal }) => {
      await pause(signal);
      const { titles } = await post("titles", { calls: wanted }, signal);
      store.add(titles, version);
      return titles.length;
    },
    enabled: wanted.length > 0,
    gcTime: 0,
  });
  return { title: (call) => store.get(call), pending: calls.some((call) => !store.get(call)) };
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = window.setTimeout(done, PAUSE_MS);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      fail(signal.reason);
    });
  });
}
