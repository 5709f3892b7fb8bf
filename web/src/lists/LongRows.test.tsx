import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { newQueryClient } from "../state/requests";
import { LongRows } from "./LongRows";

const ROW = 24;
const COUNT = 100_000;

const fetchBlock = (): ((query: { first: number; count: number }) => Promise<string[]>) =>
  vi.fn(async ({ first, count }: { first: number; count: number }) =>
    Array.from({ length: Math.min(count, COUNT - first) }, (_, i) => `line ${first + i}`),
  );

function list(fetch: ReturnType<typeof fetchBlock>, here = -1, stamp = "1") {
  return (
    <LongRows<string>
      name="lines"
      stamp={stamp}
      count={COUNT}
      height={ROW}
      here={here}
      fetchBlock={fetch}
      row={(line) => <span>{line}</span>}
      list={{ "aria-label": "Lines", className: "lines" }}
    />
  );
}

function shown(fetch: ReturnType<typeof fetchBlock>, here = -1) {
  const client = newQueryClient();
  const inClient = (what: React.ReactNode) => <QueryClientProvider client={client}>{what}</QueryClientProvider>;
  const view = render(inClient(list(fetch, here)));
  return { ...view, again: (next: number) => view.rerender(inClient(list(fetch, next))) };
}

it("has the rows in view, and fetches no others than those around them", async () => {
  const fetch = fetchBlock();
  shown(fetch);
  expect(await screen.findByText("line 3")).toBeTruthy();
  expect(screen.queryByText("line 5000")).toBeNull();
  expect(screen.getAllByRole("listitem").length).toBeLessThan(40);
  expect(
    vi
      .mocked(fetch)
      .mock.calls.map(([query]) => query.first)
      .sort(),
  ).toEqual([0, 200]);
});

it("brings a row into view, and another one later", async () => {
  const { again } = shown(fetchBlock(), 50_000);
  expect(await screen.findByText("line 50000")).toBeTruthy();
  again(99_999);
  expect(await screen.findByText("line 99999")).toBeTruthy();
  expect(screen.queryByText("line 50000")).toBeNull();
});

it("says that it is busy until the rows in view are there", async () => {
  const { container } = shown(fetchBlock());
  const scroller = container.querySelector(".lines") as HTMLElement;
  expect(scroller.getAttribute("aria-busy")).toBe("true");
  await waitFor(() => expect(scroller.getAttribute("aria-busy")).toBe("false"));
  scroller.scrollTop = 70_000 * ROW;
  fireEvent.scroll(scroller);
  expect(scroller.getAttribute("aria-busy")).toBe("true");
  expect(await screen.findByText("line 70000")).toBeTruthy();
});

it("shows why rows cannot be read", async () => {
  const fetch = vi.fn(() => Promise.reject(new Error("the trace is gone")));
  shown(fetch);
  expect((await screen.findByRole("alert")).textContent).toBe("the trace is gone");
});
