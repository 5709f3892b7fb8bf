// A component that is loaded when it is first shown.

import { type ComponentType, useEffect, useState } from "react";
import { State } from "../parts/marks";

interface Props<P> {
  load: () => Promise<{ default: ComponentType<P> }>;
  props: P;
}

export function Later<P extends object>({ load, props }: Props<P>) {
  const [View, setView] = useState<ComponentType<P> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    load().then(
      (found) => !gone && setView(() => found.default),
      () => !gone && setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [load]);
  if (failed) return <State kind="error">Can't load this view. Reload the page.</State>;
  if (!View) return <State kind="loading">Loading…</State>;
  return <View {...props} />;
}
