import { describe, expect, it } from "vitest";
import { panned, within, zoomed } from "./Icicle";

describe("the part of the run that is drawn", () => {
  it("is zoomed around the pointer, down to a few nodes", () => {
    expect(zoomed({ first: 0, end: 100 }, 0.25, 0.5)).toEqual({ first: 12.5, end: 62.5 });
    const { first, end } = zoomed({ first: 10, end: 15 }, 0.5, 0.1);
    expect(end - first).toBe(4);
  });

  it("is moved, and stays inside the run", () => {
    expect(panned({ first: 10, end: 20 }, 0.5)).toEqual({ first: 15, end: 25 });
    expect(within({ first: -5, end: 5 }, 100)).toEqual({ first: 0, end: 10 });
    expect(within({ first: 95, end: 105 }, 100)).toEqual({ first: 90, end: 100 });
    expect(within({ first: -5, end: 200 }, 100)).toBeNull();
  });
});
