// Which rows of the tree are asked for, and which row is active: the state of the tree's panel.

import type { NodeStatus, RowsWanted } from "../api";

/** Trees up to this size are fully open at first. */
const FEW_CALLS = 400;

export interface Outline {
  /** Everything is open but these; or only these are. */
  all: boolean;
  keys: ReadonlySet<string>;
}

export interface Filter {
  text: string;
  status: NodeStatus | "";
}

export type Wanted = Omit<RowsWanted, "first" | "count" | "find">;

export interface Size {
  /** The request that it is about. */
  of: Wanted | null;
  count: number;
  /** How many calls a search for a value has looked at, and of how many. */
  looked: number;
  candidates: number;
}

export interface TreeState {
  outline: Outline;
  filter: Filter;
  /** The search text as typed; the filter follows it. */
  typed: string;
  size: Size;
  /** How far a search for a value is: each slice is a request of its own. */
  slice: number;
  active: number;
  /** How often the user has moved in the tree. */
  movements: number;
}

export type TreeAction =
  | { type: "toggled"; key: string }
  | { type: "opened"; outline: Outline }
  | { type: "typed"; text: string }
  | { type: "searched"; text: string }
  | { type: "filtered"; status: NodeStatus | "" }
  | { type: "counted"; size: Size }
  | { type: "moved"; index: number }
  | { type: "activated"; index: number };

export const ANY: Filter = { text: "", status: "" };

export function newTree(calls: number): TreeState {
  return {
    outline: { all: calls <= FEW_CALLS, keys: new Set() },
    filter: ANY,
    typed: "",
    size: { of: null, count: 0, looked: 0, candidates: 0 },
    slice: 0,
    active: 0,
    movements: 0,
  };
}

export function treeReducer(state: TreeState, action: TreeAction): TreeState {
  switch (action.type) {
    case "toggled":
      return { ...state, outline: toggled(state.outline, action.key) };
    case "opened":
      return { ...state, outline: action.outline };
    case "typed":
      return { ...state, typed: action.text, active: 0 };
    case "searched":
      return state.filter.text === action.text ? state : { ...state, filter: { ...state.filter, text: action.text } };
    case "filtered":
      return { ...state, filter: { ...state.filter, status: action.status } };
    case "counted": {
      const { looked, candidates } = action.size;
      return { ...state, size: action.size, slice: looked < candidates ? looked : state.slice };
    }
    case "moved":
      return { ...state, active: action.index, movements: state.movements + 1 };
    case "activated":
      return { ...state, active: action.index };
  }
}

export function wantedRows(outline: Outline, filter: Filter, bodies = true): Wanted {
  const byValue = filter.text.startsWith("=");
  return {
    open: outline.all ? null : [...outline.keys],
    closed: outline.all ? [...outline.keys] : [],
    function: byValue ? "" : filter.text,
    value: byValue ? filter.text.slice(1) : "",
    status: filter.status,
    bodies,
  };
}

export function isOpen(outline: Outline, key: string): boolean {
  return outline.all !== outline.keys.has(key);
}

function toggled(outline: Outline, key: string): Outline {
  const keys = new Set(outline.keys);
  if (!keys.delete(key)) keys.add(key);
  return { ...outline, keys };
}

/** The same outline if all of these are open already. */
export function withOpen(outline: Outline, keys: readonly string[]): Outline {
  const closed = keys.filter((key) => !isOpen(outline, key));
  if (closed.length === 0) return outline;
  const next = new Set(outline.keys);
  for (const key of closed) {
    if (outline.all) next.delete(key);
    else next.add(key);
  }
  return { ...outline, keys: next };
}
