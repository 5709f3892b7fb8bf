// The middle of the page: parts of questions and buttons are those of the map, in its order.

import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Call, Change, InsideQuestion, Question, Session, StatementView, Step, Value } from "../api";
import { ANSWERS, FINDING_BUTTONS, GROUP_PARTS, MORE_ANSWERS, QUESTION_PARTS } from "../keys";
import { PageProvider } from "../state/page";
import { newQueryClient } from "../state/requests";
import { type Following, useSession } from "../state/session";
import { FindingPanel, QuestionPanel } from "./Panels";

function value(label: string): Value {
  return {
    label,
    summary: "1",
    type: "",
    object: 0,
    size: 0,
    parts: [],
    repeated: false,
    bookkeeping: false,
    is_long: false,
  };
}

function change(place: string): Change {
  return {
    place,
    kind: "changed",
    old: "1",
    new: "2",
    origin: "",
    object: 0,
    became: 0,
    runs: [],
    times: 1,
    more: 0,
    within: "",
    sides: null,
    text: null,
  };
}

/** A call of which there is something to show in every part. */
const FULL: Call = {
  call: 8,
  title: "merge(a, b)",
  doc: "",
  where: {
    function: "merge",
    file: "sort.py",
    line: 3,
    caller: 0,
    caller_title: "",
    caller_line: 0,
    caller_function: "",
  },
  entry: 5,
  exit: 9,
  time: 5,
  given: [value("a")],
  read: [value("counter"), value("LIMIT")],
  constants: 1,
  outcome: "returned",
  end: "returned",
  produced: value(""),
  result_name: "result",
  yielded: [value("[0]")],
  defined: [value("x")],
  changed: [change("a[0]")],
  changed_count: 1,
  variables: [change("i")],
  printed: "hello",
  meanwhile: [{ by: "other #9", call: 9, changed: [change("b")], count: 1 }],
  stopped: { word: "", text: "", line: 0, inner: 0, inner_title: "", variables: [value("n")] },
  unparsed: "sort.py",
  started: "python x.py",
  unrecorded: "",
  process: "",
  status: "suspect",
  calls_below: 0,
  called_by_program: false,
  inside: 0,
  thread: 1,
};

const QUESTION: Question = {
  kind: "question",
  key: "8",
  calls: 1,
  node: 7,
  end: 8,
  again: false,
  list: false,
  confirms: false,
  row: "8",
  parts: [[7, 8]],
  opinions: [],
  why: null,
  call: FULL,
  inside: null,
  members: [],
  left_out: 0,
  after: 9,
  changed: [],
  changed_count: 0,
  printed: "",
  started: "",
  meanwhile: [],
};

const tell = vi.fn();

function show(step: Step) {
  const session = { version: 1, growing: false, entries: [], can_undo: false, step } as unknown as Session;
  const following = { session, busy: false, tell } as unknown as Following;
  const panel = step.kind === "question" ? <QuestionPanel question={step} /> : null;
  return render(
    <QueryClientProvider client={newQueryClient()}>
      <PageProvider following={following} session={session}>
        {step.kind === "finding" ? <FindingPanel finding={step} /> : panel}
      </PageProvider>
    </QueryClientProvider>,
  );
}

/** The titles of the sections, without how many things are in them. */
function titles(container: HTMLElement): string[] {
  const found = container.querySelectorAll("[data-testid=section] > :is(h3, summary), [data-testid=outcome] > h3");
  return [...found].map((each) => (each.textContent ?? "").replace(/ \(\d+\)$/, ""));
}

beforeEach(() => {
  tell.mockReset();
});

describe("a question", () => {
  it("shows its parts in the order of the map", () => {
    const { container } = show(QUESTION);
    const wanted = Object.entries(QUESTION_PARTS).map(([part, title]) => (part === "outcome" ? "Returned" : title));
    expect(titles(container)).toEqual(wanted);
  });

  it("shows no part that is empty", () => {
    const empty = {
      ...{ given: [], read: [], constants: 0, yielded: [], defined: [], changed: [], variables: [] },
      ...{ printed: "", meanwhile: [], stopped: null, started: "", unparsed: "" },
    };
    const { container } = show({ ...QUESTION, call: { ...FULL, ...empty } });
    expect(titles(container)).toEqual(["Returned"]);
  });

  it("shows what oracles think of it", () => {
    const { container } = show({ ...QUESTION, opinions: ["contracts: likely wrong: returned <b>3</b>"] });
    const opinion = container.querySelector("[data-testid=opinion]");
    expect(opinion?.textContent).toBe("contracts: likely wrong: returned <b>3</b>");
  });

  it("about a group shows its parts in the order of the map", () => {
    const members = [1, 2].map((call) => ({ call, title: `f(${call})`, outcome: "-> 1", count: 1 }));
    const { container } = show({
      ...QUESTION,
      ...{ calls: 2, members, changed: [change("x")], printed: "hello" },
      ...{ started: "python x.py", meanwhile: FULL.meanwhile },
    });
    expect(titles(container)).toEqual(Object.values(GROUP_PARTS));
  });

  it("has the answers of the map as buttons", () => {
    show(QUESTION);
    const answers = screen.getByRole("group", { name: "Is merge right?" });
    const buttons = () => [...answers.querySelectorAll("button")].map((button) => button.textContent ?? "");
    const usual = ANSWERS.map((answer) => expect.stringContaining(`${answer.text} ${answer.key}`));
    expect(buttons()).toEqual([...usual, "More"]);
    screen.getByRole("button", { name: "More" }).click();
    return screen.findByRole("button", { name: /Invalid call/ }).then(() => {
      const more = MORE_ANSWERS.map((answer) => expect.stringContaining(`${answer.text} ${answer.key}`));
      expect(buttons()).toEqual([...usual, "More", ...more, "Search inside I"]);
    });
  });

  it.each(ANSWERS)("answers $verdict by its button", ({ verdict, text }) => {
    show(QUESTION);
    screen.getByRole("button", { name: new RegExp(text) }).click();
    expect(tell).toHaveBeenCalledWith({ path: "session/answer", sent: { key: "8", verdict } });
  });
});

/** The question of a session that is fetched and changed. */
function Live() {
  const following = useSession();
  const { session } = following;
  if (session?.step.kind !== "question") return null;
  return (
    <PageProvider following={following} session={session}>
      <QuestionPanel question={session.step} />
    </PageProvider>
  );
}

describe("an answer", () => {
  it("is sent to the server by a click, which brings the next question", async () => {
    const common = { growing: false, entries: [], can_undo: false };
    const first = { ...common, version: 1, step: QUESTION };
    const next = { ...QUESTION, key: "9", call: { ...FULL, call: 9, where: { ...FULL.where, function: "sort" } } };
    const fetched = vi.fn(async (_: string, asked: RequestInit) =>
      Response.json(asked.method === "POST" ? { ...common, version: 2, step: next } : first),
    );
    vi.stubGlobal("fetch", fetched);
    vi.stubGlobal(
      "EventSource",
      class EventSource {
        close() {}
      },
    );
    render(
      <QueryClientProvider client={newQueryClient()}>
        <Live />
      </QueryClientProvider>,
    );
    (await screen.findByRole("button", { name: /Right/ })).click();
    await screen.findByRole("heading", { name: "Is this call to sort right?" });
    const [address, asked] = fetched.mock.calls.at(-1) ?? [];
    expect(address).toMatch(/\/api\/session\/answer$/);
    expect(JSON.parse(String(asked?.body))).toEqual({ key: "8", verdict: "right" });
  });
});

describe("a finding", () => {
  it("has the decisions of the map as buttons", () => {
    const lists = { lines: [], evidence: [], undecided: [], inadmissible: [], members: [] };
    show({
      ...{ kind: "finding", key: "8", calls: 1, confirmed: false, headline: "The bug is in merge", summary: "" },
      ...lists,
      call: FULL,
      statement: null,
      can_go_inside: true,
    });
    for (const text of Object.values(FINDING_BUTTONS)) expect(screen.getByRole("button", { name: text })).toBeTruthy();
    screen.getByRole("button", { name: FINDING_BUTTONS.no }).click();
    expect(tell).toHaveBeenCalledWith({ path: "session/reject", sent: {} });
    screen.getByRole("button", { name: /Search inside/ }).click();
    expect(tell).toHaveBeenCalledWith({ path: "session/inside", sent: { key: "8" } });
  });

  it("shows the statement, what it read and wrote, and why it must be this one", () => {
    const statement: StatementView = {
      ...{ call: 8, kind: "statement", headline: "", place: "sort.py:7", line: 7, source: "c[lc] = a[la]" },
      ...{ rounds: ["round 2 of 4 of `for i in c` (line 6)"], what: "", outcome: "", why: "All was right before" },
      ...{ read: [value("la")], changed: [change("c[1]")], reasons: ["After line 6: right"], undecided: [] },
      ...{ is_missing: false, time: 8 },
    };
    const lists = { lines: [7], evidence: [], undecided: [], inadmissible: [], members: [] };
    const { container } = show({
      ...{ kind: "finding", key: "8", calls: 1, confirmed: false, summary: "It made no calls.", call: FULL },
      ...{ headline: "The bug is in line 7 of merge: `c[lc] = a[la]`", ...lists, statement, can_go_inside: false },
    });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("The bug is in line 7 of merge: c[lc] = a[la]");
    expect(screen.getByTestId("around").textContent).toBe("in round 2 of 4 of for i in c (line 6)");
    expect(screen.getByTestId("proof").textContent).toBe("All was right before");
    const card = screen.getByTestId("statement-card");
    expect(titles(card)).toEqual(["It read", "It wrote", "Based on these answers inside the call"]);
    expect(container.textContent).toContain("It made no calls.");
    expect(screen.queryByRole("button", { name: /Search inside/ })).toBeNull();
  });
});

/** A question about what happened inside a call. */
const INSIDE: InsideQuestion = {
  ...{ call: 8, boundary: 3, title: "merge(a, b)", kind: "statement", file: "sort.py", line: 7, time: 7 },
  ...{ source: "i += 1", heading: "After line 7: `i += 1`", rounds: ["round 2 of 4 of `for x in a` (line 6)"] },
  ...{ changed: [change("i")], changed_count: 1, variables: [value("i")], bound: [], calls: [], outcome: "" },
  ...{ printed: "", found: "The bug is in merge.", boundaries: 9 },
};

describe("a question inside a call", () => {
  it("is about the state, and is answered for its boundary", () => {
    const { container } = show({ ...QUESTION, inside: INSIDE });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "After line 7: i += 1Is everything right up to here?",
    );
    expect(titles(container)).toEqual(["Changed", "State"]);
    screen.getByRole("button", { name: /Wrong/ }).click();
    expect(tell).toHaveBeenCalledWith({ path: "session/answer", sent: { key: "8", verdict: "wrong", boundary: 3 } });
  });

  it("says so if nothing changed", () => {
    show({ ...QUESTION, inside: { ...INSIDE, changed: [], changed_count: 0 } });
    expect(screen.getByText("Nothing.")).toBeTruthy();
  });

  it("offers to stop at the call, and no answers that are for calls", async () => {
    show({ ...QUESTION, inside: INSIDE });
    screen.getByRole("button", { name: "More" }).click();
    (await screen.findByRole("button", { name: /Stop at the call/ })).click();
    expect(tell).toHaveBeenCalledWith({ path: "session/stop-at-call", sent: {} });
    for (const { text } of MORE_ANSWERS) expect(screen.queryByRole("button", { name: new RegExp(text) })).toBeNull();
  });
});
