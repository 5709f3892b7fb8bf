// Where the user is on the page: every state has an address, so the browser's back button works.

import { useCallback, useSyncExternalStore } from "react";
import type { Side } from "../api";

/** What a picked value is part of; the sides of the contract can be judged as wrong parts. */
export type PickedSide = Side | "variable" | "";

const SIDES: readonly string[] = ["input", "outcome", "effect", "variable"] satisfies PickedSide[];

export interface Place {
  path: string;
  /** Where in the card it was picked; "": among the variables. */
  side: PickedSide;
  /** The call in which the path means something, and as of when; null: its end. */
  of: number;
  at: number | null;
}

export interface Location {
  /** The node that is looked at; "": the question. */
  key: string;
  time: number | null;
  place: Place | null;
  /** Only what ran since this time is shown in the source: in a round of a loop. */
  since: number | null;
  /** The picked line of the source, the expression to print there, and whether in the whole run. */
  line: number | null;
  expression: string;
  everywhere: boolean;
  /** The call that is pinned, and whether the one in the middle is compared with it. */
  pin: number | null;
  compare: boolean;
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

function sideOf(text: string | null): PickedSide {
  return text !== null && SIDES.includes(text) ? (text as PickedSide) : "";
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
        : { path, side: sideOf(query.get("side")), of: Number(query.get("of")) || 0, at: whole(query.get("at")) },
    since: whole(query.get("since")),
    line: whole(query.get("line")),
    expression: query.get("print") ?? "",
    everywhere: query.get("in") === "run",
    pin: whole(query.get("pin")),
    compare: query.get("compare") === "yes",
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
  if (to.since !== null && to.time !== null) query.set("since", String(to.since));
  if (to.line !== null) query.set("line", String(to.line));
  if (to.expression) query.set("print", to.expression);
  if (to.everywhere) query.set("in", "run");
  if (to.pin !== null) query.set("pin", String(to.pin));
  if (to.pin !== null && to.compare) query.set("compare", "yes");
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
    // Another time, or another call, is not in the same round.
    const moved = to.time !== undefined || to.key !== undefined;
    const elsewhere = to.key !== undefined && to.key !== here.key;
    const next = written({
      ...here,
      ...(moved ? { since: null } : {}),
      ...(elsewhere ? { line: null, expression: "" } : {}),
      ...to,
    });
    if (next === (window.location.search || window.location.pathname)) return;
    if (replace) window.history.replaceState(null, "", next);
    else window.history.pushState(null, "", next);
    window.dispatchEvent(new Event("navigated"));
  }, []);
  return [read(search), go];
}

/** The first call that a key names. */
export function firstCall(key: string): number {
  return Number.parseInt(key, 10);
}
