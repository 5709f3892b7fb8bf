// The tests run without a browser: nothing is laid out, so elements get the sizes that a test wants.

import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";

export const VIEW = { width: 300, height: 240 };

for (const [name, size] of [
  ["offsetWidth", VIEW.width],
  ["offsetHeight", VIEW.height],
  ["clientHeight", VIEW.height],
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
}

vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

afterEach(cleanup);
