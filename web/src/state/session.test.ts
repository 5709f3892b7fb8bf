import { describe, expect, it } from "vitest";
import type { Session } from "../api";
import { type Change, NO_SESSION, type SessionAction, type SessionState, sessionReducer } from "./session";

const version = (number: number) => ({ version: number }) as Session;
const after = (...actions: SessionAction[]): SessionState => actions.reduce(sessionReducer, NO_SESSION);
const ANSWER: Change = { path: "session/answer", sent: { key: "8", verdict: "right" } };

describe("the session on the page", () => {
  it("is the newest one, in whatever order answers arrive", () => {
    const state = after({ type: "fetched", session: version(3) }, { type: "fetched", session: version(2) });
    expect(state.session?.version).toBe(3);
  });

  it("stays while a change is on its way, and comes with the end of it", () => {
    const changing = after(
      { type: "fetched", session: version(1) },
      { type: "changing" },
      { type: "fetched", session: version(2) },
    );
    expect([changing.session?.version, changing.busy]).toEqual([1, true]);
    const changed = sessionReducer(changing, { type: "changed", session: version(2) });
    expect([changed.session?.version, changed.busy]).toEqual([2, false]);
  });

  it("offers to replace what an answer contradicts, until something else is said", () => {
    const clashed = after({ type: "changing" }, { type: "contradicted", message: "it contradicts #2", change: ANSWER });
    expect([clashed.busy, clashed.clash?.change]).toEqual([false, ANSWER]);
    expect(sessionReducer(clashed, { type: "changing" }).clash).toBeNull();
    expect(sessionReducer(clashed, { type: "dismissed" }).clash).toBeNull();
  });

  it("knows that the server is gone until it answers again", () => {
    expect(after({ type: "changing" }, { type: "unanswered" })).toMatchObject({ lost: true, busy: false });
    expect(after({ type: "lost" }, { type: "connected" }).lost).toBe(false);
    expect(after({ type: "lost" }, { type: "fetched", session: version(1) }).lost).toBe(false);
  });

  it("forgets an error when it can be read", () => {
    expect(after({ type: "failed", message: "no trace" }, { type: "fetched", session: version(1) }).error).toBe("");
  });
});
