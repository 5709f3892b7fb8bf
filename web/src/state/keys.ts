// Keys that act on the whole page.

import { useLayoutEffect } from "react";
import { KEYS } from "../keys";

export type Keys = Record<string, (() => void) | undefined>;

/** These may be held down. */
const REPEATED: string[] = [KEYS.previous, KEYS.next, KEYS.previousChange, KEYS.nextChange, "{", "}"];

/** Act on keys, unless the user types into a field or reads the help. */
export function useKeys(keys: Keys): void {
  // What can be seen can be answered: the keys change no later than the screen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const element = event.target as HTMLElement;
      const typing =
        /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && (element as HTMLInputElement).type !== "range";
      if (event.ctrlKey || event.metaKey || event.altKey || typing || event.defaultPrevented) return;
      const act = keys[event.key];
      if (!act || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      if (!event.repeat || REPEATED.includes(event.key)) act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
