// How an opened value is shown: in one of these views, or as the list of its parts.
//
// A view is a module of its own in this folder, loaded when it is needed. To add one, write a component that takes
// `OpenedProps` as its default export, and register it in VIEWS; whether it fits an object, the server says (`views`).
// The user can switch between all views that fit a value; the list of parts always does. Views of changes show what was
// there beside what is there now; they are registered in CHANGE_VIEWS.

import type { ComponentType } from "react";
import type { Change, Value, Views } from "../api";
import type { Picking } from "./Values";

export interface OpenedProps extends Picking {
  value: Value;
  /** The path of the value, as in c[2]. */
  path: string;
}

export interface OpenedChangeProps extends Picking {
  change: Change;
}

interface Registered<Name, Props> {
  name: Name;
  /** On the button that chooses it. */
  label: string;
  load: () => Promise<{ default: ComponentType<Props> }>;
}

export interface ValueView extends Registered<Views["views"][number], OpenedProps> {
  /** It is shown without being asked for; otherwise the list of parts is. */
  preferred: boolean;
}

export interface ChangeView extends Registered<string, OpenedChangeProps> {
  fits: (change: Change) => boolean;
}

export const VIEWS: readonly ValueView[] = [
  { name: "image", label: "Image", load: () => import("./ImageView"), preferred: false },
  { name: "table", label: "Table", load: () => import("./Table"), preferred: true },
  { name: "graph", label: "Graph", load: () => import("./Graph"), preferred: false },
];

export const CHANGE_VIEWS: readonly ChangeView[] = [
  {
    name: "sides",
    label: "Side by side",
    load: () => import("./SideBySide"),
    fits: ({ sides }) => sides !== null,
  },
  {
    name: "text",
    label: "Text",
    load: () => import("./ChangedText"),
    fits: ({ text }) => text !== null,
  },
];

/** The views with these names, the preferred ones first. */
export function viewsOf(names: readonly string[], views: readonly ValueView[] = VIEWS): ValueView[] {
  const fitting = views.filter((view) => names.includes(view.name));
  return [...fitting.filter((view) => view.preferred), ...fitting.filter((view) => !view.preferred)];
}

/** The views that fit a change. */
export function changeViewsOf(change: Change, views: readonly ChangeView[] = CHANGE_VIEWS): ChangeView[] {
  return views.filter((view) => view.fits(change));
}

/** A change can be opened: to see what is there now, or both sides. */
export function canOpenChange(change: Change): boolean {
  return change.became > 0 || changeViewsOf(change).length > 0;
}
