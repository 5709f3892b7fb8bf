// Data that is fetched, kept while newer is on its way, and said to be missing when it is.

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { address, get, type Query } from "./api";

export interface Fetched<T> {
  data: T | null;
  error: string;
  loading: boolean;
}

/** Fetch whenever the address changes; null: there is nothing to fetch. */
export function useFetched<T>(path: string | null, query: Query = {}, again: unknown = 0): Fetched<T> {
  const [state, setState] = useState<Fetched<T>>({ data: null, error: "", loading: path !== null });
  const wanted = path === null ? null : address(path, query);
  const of = useRef<string | null>(null);
  useEffect(() => {
    if (wanted === null) {
      setState({ data: null, error: "", loading: false });
      return;
    }
    const abort = new AbortController();
    const sameCall = of.current?.split("?")[0] === wanted.split("?")[0];
    of.current = wanted;
    setState((old) => ({ data: sameCall ? old.data : null, error: "", loading: true }));
    get<T>(wanted, {}, abort.signal).then(
      (data) => setState({ data, error: "", loading: false }),
      (error: Error) => {
        if (!abort.signal.aborted) setState({ data: null, error: error.message, loading: false });
      },
    );
    return () => abort.abort();
  }, [wanted, again]);
  return state;
}

// -- the address: every state of the page has one ----------------------------------------------------

export interface Place {
  path: string;
  /** Where in the card it was picked; "" in the lists of variables. */
  side: string;
  /** The call in which the path means something, and as of when; null: its end. */
  of: number;
  at: number | null;
}

export interface Location {
  /** The node that is looked at; "": the question. */
  key: string;
  time: number | null;
  place: Place | null;
  tab: string;
  /** Which view is in front where only one fits. */
  view: string;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener("navigated", listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener("navigated", listener);
  };
}

function whole(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

function read(search: string): Location {
  const query = new URLSearchParams(search);
  const path = query.get("place");
  return {
    key: query.get("call") ?? "",
    time: whole(query.get("t")),
    place:
      path === null
        ? null
        : { path, side: query.get("side") ?? "", of: Number(query.get("of")) || 0, at: whole(query.get("at")) },
    tab: query.get("tab") ?? "events",
    view: query.get("view") ?? "question",
  };
}

function written(to: Location): string {
  const query = new URLSearchParams();
  if (to.key) query.set("call", to.key);
  if (to.time !== null) query.set("t", String(to.time));
  if (to.place) {
    query.set("place", to.place.path);
    query.set("of", String(to.place.of));
    if (to.place.at !== null) query.set("at", String(to.place.at));
  }
  if (to.place?.side) query.set("side", to.place.side);
  if (to.tab !== "events") query.set("tab", to.tab);
  if (to.view !== "question") query.set("view", to.view);
  const text = query.toString();
  return text ? `?${text}` : window.location.pathname;
}

export type Go = (to: Partial<Location>, replace?: boolean) => void;

export function useLocation(): [Location, Go] {
  const search = useSyncExternalStore(subscribe, () => window.location.search);
  const go = useCallback<Go>((to, replace = false) => {
    const here = read(window.location.search);
    const next = written({ ...here, ...to });
    if (next === (window.location.search || window.location.pathname)) return;
    if (replace) window.history.replaceState(null, "", next);
    else window.history.pushState(null, "", next);
    window.dispatchEvent(new Event("navigated"));
  }, []);
  return [read(search), go];
}

/** Keep the focus in the same part of the page when what had it is gone. */
export function useKeptFocus(): void {
  const had = useRef<{ element: HTMLElement; part: HTMLElement | null } | null>(null);
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const element = event.target as HTMLElement;
      had.current = { element, part: element.closest<HTMLElement>("aside, main") };
    };
    // Who clicks somewhere else has left it.
    const onMouse = () => {
      had.current = null;
    };
    document.addEventListener("focusin", onFocus);
    document.addEventListener("mousedown", onMouse, true);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("mousedown", onMouse, true);
    };
  }, []);
  useEffect(() => {
    const last = had.current;
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const part = last.part ?? document.querySelector<HTMLElement>("main");
    part?.focus({ preventScroll: true });
  });
}

/** The size of an element, now and whenever it changes. */
export function useSize<T extends HTMLElement>(): [React.RefObject<T | null>, { width: number; height: number }] {
  const ref = useRef<T | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver((entries) => {
      const box = entries[0]?.contentRect;
      if (box) setSize({ width: Math.round(box.width), height: Math.round(box.height) });
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
