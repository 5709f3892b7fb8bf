// Where the keyboard's focus goes when the element that had it is removed.

import { useEffect, useRef } from "react";

/** Keep the focus in the same part of the page. */
export function useKeptFocus(): void {
  const had = useRef<{ element: HTMLElement; part: HTMLElement | null } | null>(null);
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const element = event.target as HTMLElement;
      had.current = { element, part: element.closest<HTMLElement>("aside, main") };
    };
    // A click somewhere else moves on.
    const onMouse = () => {
      had.current = null;
    };
    document.addEventListener("focusin", onFocus);
    document.addEventListener("mousedown", onMouse, true);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("mousedown", onMouse, true);
    };
  }, []);
  useEffect(() => {
    const last = had.current;
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const part = last.part ?? document.querySelector<HTMLElement>("main");
    part?.focus({ preventScroll: true });
  });
}
