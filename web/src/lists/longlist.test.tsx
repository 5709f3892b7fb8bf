import { act, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { VIEW } from "../testing/setup";
import { type LongList, useLongList } from "./longlist";
import { MAX_SCROLL } from "./position";

const ROW = 24;

function shown(count: number): { list: () => LongList; element: HTMLElement; again: (count: number) => void } {
  let latest: LongList | null = null;
  const List = ({ rows }: { rows: number }) => {
    const list = useLongList(rows, ROW);
    latest = list;
    return <div ref={list.scroller} data-testid="scroller" />;
  };
  const view = render(<List rows={count} />);
  return {
    list: () => latest as unknown as LongList,
    element: view.getByTestId("scroller"),
    again: (rows) => view.rerender(<List rows={rows} />),
  };
}

/** The rows in view, without those that are kept ready around it. */
function inView(list: LongList): number[] {
  const rows = list.items.filter((item) => item.end > list.offset && item.start < list.offset + VIEW.height);
  return rows.map((item) => item.index);
}

it("has the rows in view, and a few more", () => {
  const { list } = shown(1_000_000);
  expect(inView(list())).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(list().items.length).toBeLessThan(40);
});

it("has other rows after scrolling", () => {
  const { list, element } = shown(1000);
  act(() => {
    element.scrollTop = 500 * ROW;
    element.dispatchEvent(new Event("scroll"));
  });
  expect(inView(list())[0]).toBe(500);
});

it("shows any row of a list that is longer than browsers scroll", () => {
  const { list, element } = shown(10_000_000);
  expect(list().height).toBe(MAX_SCROLL);
  for (const row of [9_999_999, 5_000_000, 1_234_567, 0]) {
    act(() => list().show(row));
    expect(inView(list())).toContain(row);
    expect(element.scrollTop).toBeLessThanOrEqual(MAX_SCROLL);
  }
});

it("moves by the wheel pixel by pixel if the list is too long to scroll", () => {
  const { list, element } = shown(10_000_000);
  act(() => list().show(5_000_000));
  const before = list().offset;
  act(() => {
    element.dispatchEvent(new WheelEvent("wheel", { deltaY: 3, cancelable: true }));
  });
  expect(list().offset).toBe(before + 3);
});

it("follows a list that grows beyond what browsers scroll", () => {
  const { list, element, again } = shown(100);
  again(10_000_000);
  act(() => list().show(9_000_000));
  expect(inView(list())).toContain(9_000_000);
  expect(element.scrollTop).toBeLessThanOrEqual(MAX_SCROLL);
});

it("shows the only row of a list that became shorter while it was scrolled", () => {
  const { list, element, again } = shown(1000);
  act(() => {
    element.scrollTop = 500 * ROW;
    element.dispatchEvent(new Event("scroll"));
  });
  again(1);
  // The row is drawn before the browser says that it had to scroll back.
  act(() => {
    element.scrollTop = 0;
    element.dispatchEvent(new Event("scroll"));
  });
  expect(inView(list())).toEqual([0]);
});
