// Sizes of panels: as the user left them, in this browser.

import { useCallback, useState } from "react";

/** Of the panels that a splitter resizes: columns in pixels, heights in percent. */
export type SizeName = "left" | "right" | "rightOfFinding" | "picture" | "source" | "findingSource";

export type Sizes = Partial<Record<SizeName, number>>;

const KEPT = "sizes";

function kept(): Sizes {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(KEPT) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, size]) => Number.isFinite(size)));
  } catch {
    return {}; // somebody else wrote there
  }
}

export interface PanelSizes {
  sizes: Sizes;
  /** null: as large as it is by default. */
  resize: (name: SizeName, size: number | null) => void;
  reset: () => void;
}

export function usePanelSizes(): PanelSizes {
  const [sizes, setSizes] = useState<Sizes>(kept);
  const resize = useCallback((name: SizeName, size: number | null) => {
    setSizes((old) => {
      const { [name]: _, ...others } = old;
      const next = size === null ? others : { ...others, [name]: Math.round(size) };
      window.localStorage.setItem(KEPT, JSON.stringify(next));
      return next;
    });
  }, []);
  const reset = useCallback(() => {
    window.localStorage.removeItem(KEPT);
    setSizes({});
  }, []);
  return { sizes, resize, reset };
}
