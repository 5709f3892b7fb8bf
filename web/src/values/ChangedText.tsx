// The long text that is at a place after a change, or was there before it.

import { TextView } from "./LongText";
import type { OpenedChangeProps } from "./registry";

export default function ChangedText({ change }: OpenedChangeProps) {
  return <TextView path={change.place} request="changed-text" asked={{ ...change.text }} />;
}
