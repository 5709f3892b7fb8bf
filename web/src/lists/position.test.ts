import { describe, expect, it, vi } from "vitest";
import { VIEW } from "../testing/setup";
import { MAX_SCROLL, ScrollPosition } from "./position";

/** An element that scrolls as in a browser: by whole pixels. */
function scrolled(): HTMLElement {
  const element = document.createElement("div");
  let top = 0;
  Object.defineProperty(element, "scrollTop", {
    get: () => top,
    set: (to: number) => {
      top = Math.round(to);
    },
  });
  return element;
}

function listOf(total: number): ScrollPosition {
  const position = new ScrollPosition();
  position.resize(total);
  return position;
}

describe("a list that a browser can scroll", () => {
  it("is where its scroll bar is", () => {
    const [position, element] = [listOf(10_000), scrolled()];
    const report = vi.fn();
    position.follow(element, report);
    element.scrollTop = 1234;
    element.dispatchEvent(new Event("scroll"));
    expect(position.exact).toBe(1234);
    expect(report).toHaveBeenLastCalledWith(1234, false);
  });

  it("shows a row in the middle, and leaves a visible one where it is", () => {
    const [position, element] = [listOf(10_000), scrolled()];
    position.show(element, 5000, 20);
    expect(position.exact).toBe(5000 - VIEW.height / 2);
    position.show(element, 5000 + 100, 20);
    expect(position.exact).toBe(5000 - VIEW.height / 2);
    position.show(element, 5000 - VIEW.height, 20);
    expect(position.exact).toBe(5000 - VIEW.height - VIEW.height / 2);
  });

  it("does not scroll below the last row of a list that became shorter", () => {
    const [position, element] = [listOf(10_000), scrolled()];
    const report = vi.fn();
    position.follow(element, report);
    position.resize(VIEW.height + 100);
    position.show(element, 5000, 20);
    expect(position.exact).toBe(100);
    expect(report).toHaveBeenLastCalledWith(100, false);
    position.resize(20);
    position.show(element, 0, 20);
    expect(report).toHaveBeenLastCalledWith(0, false);
  });

  it("does not scroll above the first row", () => {
    const [position, element] = [listOf(10_000), scrolled()];
    position.show(element, 5000, 20);
    position.show(element, 20, 20);
    expect(position.exact).toBe(0);
  });
});

describe("a list that is longer than browsers scroll", () => {
  const total = 240_000_000;

  it("has its first and last row at the ends of the scroll bar", () => {
    const position = listOf(total);
    const scale = position.scale(VIEW.height);
    expect(0 * scale).toBe(0);
    expect((MAX_SCROLL - VIEW.height) * scale).toBeCloseTo(total - VIEW.height, 3);
  });

  it("moves by single pixels, though the scroll bar cannot", () => {
    const [position, element] = [listOf(total), scrolled()];
    position.follow(element, vi.fn());
    position.moveTo(element, 120_000_000);
    position.moveBy(element, 7);
    // The browser tells about the move: it knows only the rounded position.
    element.dispatchEvent(new Event("scroll"));
    expect(position.exact).toBe(120_000_007);
  });

  it("goes where the user drags the scroll bar", () => {
    const [position, element] = [listOf(total), scrolled()];
    position.follow(element, vi.fn());
    position.moveTo(element, 1000);
    element.scrollTop = (MAX_SCROLL - VIEW.height) / 2;
    element.dispatchEvent(new Event("scroll"));
    expect(position.exact).toBeCloseTo((total - VIEW.height) / 2, 3);
  });

  it("ends at its last row", () => {
    const [position, element] = [listOf(total), scrolled()];
    position.moveTo(element, total - 2 * VIEW.height);
    position.moveBy(element, 10 * VIEW.height);
    expect(position.exact).toBe(total - VIEW.height);
    position.moveBy(element, -2 * total);
    expect(position.exact).toBe(0);
  });
});

it("stops reporting when nobody follows it", () => {
  const [position, element] = [listOf(10_000), scrolled()];
  const report = vi.fn();
  const stop = position.follow(element, report);
  stop();
  report.mockClear();
  element.dispatchEvent(new Event("scroll"));
  expect(report).not.toHaveBeenCalled();
});
