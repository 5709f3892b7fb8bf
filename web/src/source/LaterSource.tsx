// The view of sources, loaded after the page itself, while the server is asked for the source.
//
// If loading fails because the server is gone, the browser does not try again before the page is reloaded. That is
// done once, when the server is back; every state of the page has an address.
//
// It is not a `lazy` component: React shows one only 300 ms after its fallback.

import { type ComponentType, useEffect, useState } from "react";
import type { Source as SourceData, SourceFile } from "../api";
import { get } from "../client";
import { State } from "../parts/marks";

const TRIED = "source read again";

interface Props {
  file: SourceFile | null;
  source: SourceData | null;
}

type View = ComponentType<{ file: SourceFile; source: SourceData }>;

let view: View | null = null;

export function Source({ file, source }: Props) {
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
  return <View file={file} source={source} />;
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
