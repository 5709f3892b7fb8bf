import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { newQueryClient } from "../state/requests";
import { type BlockSource, useBlocks, type WithRows, wantedBlocks } from "./blocks";

type Source = BlockSource<string, WithRows<string>>;

const SIZE = 10;

/** A server that answers when it is told to. */
class Server {
  readonly asked: {
    first: number;
    stamp: string;
    signal: AbortSignal;
    answer: (rows: string[]) => void;
    fail: () => void;
  }[] = [];

  source(over: Partial<Source> = {}): Source {
    const stamp = over.stamp ?? "1";
    return {
      name: "list",
      stamp,
      size: SIZE,
      count: 100,
      visible: { first: 0, last: 5 },
      fetchBlock: (first, signal) =>
        new Promise((done, fail) => {
          this.asked.push({
            first,
            stamp,
            signal,
            answer: (rows) => done({ rows }),
            fail: () => fail(new Error("the server is gone")),
          });
          signal.addEventListener("abort", () => fail(signal.reason));
        }),
      ...over,
    };
  }

  async answer(text: string): Promise<void> {
    await act(async () => {
      for (const { first, answer } of this.asked.splice(0)) {
        answer(Array.from({ length: SIZE }, (_, i) => `${text} ${first + i}`));
      }
    });
  }
}

function start(source: Source) {
  const client = newQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook((props: Source) => useBlocks<string, WithRows<string>>(props), { wrapper, initialProps: source });
}

describe("which blocks are wanted", () => {
  const wanted = (first: number, last: number, count = 100) =>
    wantedBlocks({ size: SIZE, count, visible: { first, last } });

  it("those in view and their neighbours, the middle first", () => {
    expect(wanted(52, 58)).toEqual([5, 4, 6]);
    expect(new Set(wanted(48, 61))).toEqual(new Set([3, 4, 5, 6, 7]));
  });

  it("none that the list does not have", () => {
    expect(wanted(0, 5)).toEqual([0, 1]);
    expect(new Set(wanted(93, 99))).toEqual(new Set([8, 9]));
    expect(wanted(0, 5, 3)).toEqual([0]);
  });

  it("the first one while the length is not known", () => {
    expect(wanted(0, 0, 0)).toEqual([0]);
  });
});

describe("rows", () => {
  it("are there when their block was answered", async () => {
    const server = new Server();
    const { result } = start(server.source());
    expect(result.current.row(3)).toBeUndefined();
    expect(result.current.pending).toBe(true);
    await server.answer("a");
    await waitFor(() => expect(result.current.pending).toBe(false));
    expect([result.current.row(3), result.current.row(15)]).toEqual(["a 3", "a 15"]);
  });

  it("are fetched once, however often the list is drawn", async () => {
    const server = new Server();
    const { result, rerender } = start(server.source());
    rerender(server.source());
    rerender(server.source());
    expect(server.asked.map(({ first }) => first).sort()).toEqual([0, 10]);
    await server.answer("a");
    await waitFor(() => expect(result.current.pending).toBe(false));
    rerender(server.source({ visible: { first: 1, last: 6 } }));
    expect(server.asked).toEqual([]);
  });

  it("stay until the newer ones are there", async () => {
    const server = new Server();
    const { result, rerender } = start(server.source());
    await server.answer("old");
    await waitFor(() => expect(result.current.pending).toBe(false));
    rerender(server.source({ stamp: "2" }));
    expect(result.current.row(3)).toBe("old 3");
    expect(result.current.pending).toBe(true);
    expect(result.current.newest).toBeUndefined();
    await server.answer("new");
    await waitFor(() => expect(result.current.row(3)).toBe("new 3"));
    expect(result.current.newest?.rows.every((row) => row.startsWith("new"))).toBe(true);
  });

  it("of another list are not shown", async () => {
    const server = new Server();
    const { result, rerender } = start(server.source());
    await server.answer("a");
    await waitFor(() => expect(result.current.pending).toBe(false));
    rerender(server.source({ name: "another list" }));
    expect(result.current.row(3)).toBeUndefined();
  });

  it("that are scrolled past are not waited for", async () => {
    const server = new Server();
    const { rerender } = start(server.source());
    const passed = [...server.asked];
    rerender(server.source({ visible: { first: 70, last: 75 } }));
    await waitFor(() => expect(passed.every(({ signal }) => signal.aborted)).toBe(true));
    expect(
      server.asked
        .slice(passed.length)
        .map(({ first }) => first)
        .sort(),
    ).toEqual([60, 70, 80]);
  });

  it("that are still wanted go on: asking again would not be faster", () => {
    const server = new Server();
    const { rerender } = start(server.source());
    rerender(server.source({ visible: { first: 10, last: 15 } }));
    const second = server.asked.find(({ first }) => first === 10);
    expect(second?.signal.aborted).toBe(false);
    expect(server.asked.filter(({ first }) => first === 10)).toHaveLength(1);
  });

  it("that cannot be read are an error until they can", async () => {
    const server = new Server();
    const { result, rerender } = start(server.source());
    await act(async () => {
      for (const { fail } of server.asked.splice(0)) fail();
    });
    await waitFor(() => expect(result.current.error).toBe("the server is gone"));
    expect(result.current.pending).toBe(false);
    rerender(server.source({ stamp: "2" }));
    await server.answer("again");
    await waitFor(() => expect(result.current.row(3)).toBe("again 3"));
    expect(result.current.error).toBe("");
  });
});
