// How an opened value is shown: by the first of these views that fits it, or as the list of its parts.
//
// A view is a module of its own in this folder, loaded when it is needed. To add one, write a component that takes
// `OpenedProps` as its default export, and register it in VIEWS: what it fits, what its button says. The user can
// switch between all views that fit a value; the list of parts always does. Views of changes show what was there
// beside what is there now; they are registered in CHANGE_VIEWS.

import type { ComponentType } from "react";
import type { Change, Value } from "../api";
import type { Picking } from "./Values";

export interface OpenedProps extends Picking {
  value: Value;
  /** The path of the value, as in c[2]. */
  path: string;
}

export interface OpenedChangeProps extends Picking {
  change: Change;
}

interface Registered<Props> {
  /** Names it; unique. */
  name: string;
  /** On the button that chooses it. */
  label: string;
  load: () => Promise<{ default: ComponentType<Props> }>;
}

export interface ValueView extends Registered<OpenedProps> {
  fits: (value: Value) => boolean;
  /** It is shown without being asked for; otherwise the list of parts is. */
  preferred: boolean;
}

export interface ChangeView extends Registered<OpenedChangeProps> {
  fits: (change: Change) => boolean;
}

/** Types that may be tables; whether a value is one, the server says. */
const TABULAR = /^(list|tuple|dict|defaultdict|OrderedDict)$|Frame|Series|array$/i;

export const VIEWS: readonly ValueView[] = [
  {
    name: "table",
    label: "Table",
    load: () => import("./Table"),
    fits: ({ object, type, size }) => object !== 0 && size > 1 && TABULAR.test(type),
    preferred: true,
  },
];

export const CHANGE_VIEWS: readonly ChangeView[] = [];

/** The views that fit a value, the preferred ones first. */
export function viewsOf(value: Value, views: readonly ValueView[] = VIEWS): ValueView[] {
  const fitting = views.filter((view) => view.fits(value));
  return [...fitting.filter((view) => view.preferred), ...fitting.filter((view) => !view.preferred)];
}

/** The views that fit a change. */
export function changeViewsOf(change: Change, views: readonly ChangeView[] = CHANGE_VIEWS): ChangeView[] {
  return views.filter((view) => view.fits(change));
}
