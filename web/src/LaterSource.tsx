// The view of sources, which is read when the page is there already.
//
// If that fails, as the server is gone, the browser does not try again before the page is loaded anew. That is done
// once, when the server is back; every state of the page has an address.

import { type ComponentProps, type ComponentType, lazy } from "react";
import { get } from "./api";
import { State } from "./marks";
import type SourceView from "./Source";

const TRIED = "source read again";
type Loaded = { default: ComponentType<ComponentProps<typeof SourceView>> };

export const Source = lazy(async (): Promise<Loaded> => {
  try {
    const found = await import("./Source");
    window.sessionStorage.removeItem(TRIED);
    return found;
  } catch {
    if (window.sessionStorage.getItem(TRIED)) return { default: Missing };
    await untilAnswered();
    window.sessionStorage.setItem(TRIED, "yes");
    window.location.reload();
    return { default: Missing };
  }
});

function Missing() {
  return <State kind="error">The view of sources cannot be read. Load the page again.</State>;
}

async function untilAnswered(): Promise<void> {
  const isThere = () =>
    get("session").then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await new Promise((done) => window.setTimeout(done, 1000));
}
