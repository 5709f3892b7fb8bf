// The view of sources, loaded after the page itself, while the server is asked for the source.
//
// If loading fails because the server is gone, the browser does not try again before the page is reloaded. That is
// done once, when the server is back; every state of the page has an address.
//
// It is not a `lazy` component: React shows one only 300 ms after its fallback.

import { type ComponentType, useEffect, useState } from "react";
import type { Evaluated, Source as SourceData, SourceFile } from "../api";
import { get } from "../client";
import { State } from "../parts/marks";

const TRIED = "source read again";

interface Props {
  file: SourceFile | null;
  source: SourceData | null;
  /** Lines to mark, while no time is selected. */
  lines?: readonly number[];
  /** The line whose executions are shown. */
  picked: number | null;
  /** Rises when the user wants to find something in the source. */
  finding: number;
  actions: SourceActions;
}

/** What the source can do. */
export interface SourceActions {
  /** Show the executions of a line. */
  onLine: (line: number) => void;
  /** Print at a line, after the fact. */
  onPrint: (line: number) => void;
  /** Go to where the value at a place was written. */
  onValue: (path: string) => void;
  /** Pick a place, for its history and origin. */
  onPick: (path: string) => void;
  /** What an expression is at the selected time. */
  valueOf: (expression: string) => Promise<Evaluated>;
}

export interface ViewProps extends Omit<Props, "file" | "source" | "lines"> {
  file: SourceFile;
  source: SourceData;
  lines: readonly number[];
}

type View = ComponentType<ViewProps>;

let view: View | null = null;

const NO_LINES: readonly number[] = [];

export function Source({ file, source, lines = NO_LINES, ...others }: Props) {
  const [View, setView] = useState<View | null>(() => view);
  useEffect(() => {
    if (view) return;
    let gone = false;
    read().then((found) => {
      view = found;
      if (!gone) setView(() => found);
    });
    return () => {
      gone = true;
    };
  }, []);
  if (!View || !file || !source) return <State kind="loading">Loading…</State>;
  return <View file={file} source={source} lines={lines} {...others} />;
}

async function read(): Promise<View> {
  try {
    const found = await import("./Source");
    window.sessionStorage.removeItem(TRIED);
    return found.default;
  } catch {
    if (window.sessionStorage.getItem(TRIED)) return Missing;
    await untilAnswered();
    window.sessionStorage.setItem(TRIED, "yes");
    window.location.reload();
    return Missing;
  }
}

function Missing() {
  return <State kind="error">Can't load the source view. Reload the page.</State>;
}

async function untilAnswered(): Promise<void> {
  const isThere = () =>
    get("session").then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await new Promise((done) => window.setTimeout(done, 1000));
}
