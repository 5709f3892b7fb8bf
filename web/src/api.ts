// What the server is asked and answers: the shapes of docs/reference/api.md and docs/reference/json.md.

export type Shade =
  | "right"
  | "wrong"
  | "trusted"
  | "unknown"
  | "inadmissible"
  | "explained"
  | "suspect"
  | "cleared"
  | "running";

export type Verdict =
  | "right"
  | "wrong"
  | "don't know"
  | "trust function"
  | "trust module"
  | "inadmissible"
  | "this part is wrong";

export type Side = "input" | "outcome" | "effect";

export interface Value {
  label: string;
  summary: string;
  type: string;
  object: number;
  size: number;
  repeated: boolean;
  bookkeeping: boolean;
  parts: Value[];
}

export interface Change {
  kind: "changed" | "added" | "removed" | "moved";
  place: string;
  old: string;
  new: string;
  origin: string;
  object: number;
  /** The object that is there now; 0: none. */
  became: number;
  /** If others wrote there in between: what was there and what came, each time, some left out. */
  runs: [string, string][];
  times: number;
}

/** What somebody else changed while a call ran. */
export interface Meanwhile {
  by: string;
  /** 0: code that is not recorded. */
  call: number;
  changed: Change[];
  count: number;
}

export interface Call {
  call: number;
  title: string;
  where: {
    function: string;
    file: string;
    line: number;
    caller: number;
    caller_line: number;
    caller_title: string;
    /** The function that this line is in. */
    caller_function: string;
  };
  thread: number;
  entry: number;
  exit: number;
  time: number;
  given: Value[];
  /** Constants last. */
  read: Value[];
  /** How many of what it read are constants. */
  constants: number;
  /** The docstring of the function. */
  doc: string;
  outcome: string;
  produced: Value | null;
  yielded: Value[];
  defined: Value[];
  changed: Change[];
  changed_count: number;
  variables: Change[];
  printed: string;
  meanwhile: Meanwhile[];
  /** Its state when the run stopped, if it had not ended. */
  stopped: Stopped | null;
  /** Processes that it started and that were not recorded, in words. */
  started: string;
  shade: Shade;
  calls_below: number;
}

export interface Stopped {
  text: string;
  line: number;
  /** The call that it was waiting for; 0: none. */
  inner: number;
  inner_title: string;
  variables: Value[];
}

export interface Line {
  call: number;
  title: string;
  outcome: string;
}

/** What a call of a list is judged by, besides its title and outcome. */
export interface Member {
  call: number;
  /** When it ended. */
  after: number;
  read: Value[];
  constants: number;
  yielded: Value[];
  changed: Change[];
  changed_count: number;
  printed: string;
  meanwhile: Meanwhile[];
}

export interface Told extends Line {
  number: number;
  verdict: Verdict;
  by: string;
  part: { where: Side; path: string } | null;
  expected: string | null;
}

export interface Why {
  strategy: string;
  suspects: number;
  left_if_right: number;
  left_if_wrong: number;
  left_if_unknown: number;
  expected: number;
  is_exact: boolean;
  note: string;
  /** How many questions are left, in words. */
  left: string;
  /** Why it is asked, in a few sentences. */
  text: string;
}

export interface Question {
  kind: "question";
  key: string;
  calls: number;
  node: number;
  end: number;
  again: boolean;
  why: Partial<Why>;
  call: Call;
  /** The calls of a group are to be judged each by itself. */
  list: boolean;
  members: Line[];
  left_out: number;
  /** When the last call of a group ended. */
  after: number;
  changed: Change[];
  changed_count: number;
  printed: string;
  meanwhile: Meanwhile[];
}

export interface Finding {
  kind: "finding";
  key: string;
  calls: number;
  confirmed: boolean;
  headline: string;
  summary: string;
  evidence: Told[];
  undecided: Line[];
  inadmissible: Line[];
  call: Call | null;
  members: Line[];
}

export interface Nothing {
  kind: "no bug" | "needs more";
  undecided: Line[];
}

export interface Clash {
  kind: "contradiction";
  answers: Told[];
}

export type Step = Question | Finding | Nothing | Clash;

export interface Entry {
  number: number;
  said: string;
  by: string;
  key: string;
  function: string;
}

export interface Session {
  version: number;
  name: string;
  program: string;
  growing: boolean;
  ended: string | null;
  status: number | null;
  calls: number;
  events: number;
  suspects: number;
  root: string;
  strategy: string;
  strategies: { name: string; about: string }[];
  entries: Entry[];
  can_undo: boolean;
  unsaved: string;
  trouble: string;
  step: Step;
}

export interface Row {
  key: string;
  node: number;
  end: number;
  depth: number;
  kind: "call" | "collapsed" | "projected";
  function: string;
  shade: Shade;
  suspects: number;
  parent: string;
}

export interface Rows {
  version: number;
  count: number;
  first: number;
  found: number;
  looked: number;
  candidates: number;
  rows: Row[];
}

export type Box = [number, number, number, Shade, number, string, string];
export type Dust = [number, number, number, number];

export interface Picture {
  version: number;
  first: number;
  end: number;
  boxes: Box[];
  dust: Dust[];
}

export interface TraceEvent {
  time: number;
  kind: string;
  line: number;
  place: string;
  value: string;
  call: number;
  taken: boolean | null;
}

export interface Events {
  call: number;
  count: number;
  first: number;
  index: number;
  before: number | null;
  after: number | null;
  events: TraceEvent[];
}

export interface Version {
  time: number;
  value: string | null;
  line: number;
  function: string;
  call: number;
  seen: boolean;
  source: string;
}

export type Mark = [number, number, "changed" | "inside"];

export interface History {
  call: number;
  place: string;
  count: number;
  first: number;
  /** Of the version at the time that was asked for. */
  index: number;
  versions: Version[];
}

export interface Marks {
  call: number;
  place: string;
  count: number;
  marks: Mark[];
}

export interface OutputLine {
  text: string;
  call: number;
  time: number;
}

export interface Output {
  count: number;
  first: number;
  index: number;
  lines: OutputLine[];
}

export interface Origin {
  call: number;
  place: string;
  value: string;
  time: number;
  links: {
    kind: string;
    time: number;
    call: number;
    function: string;
    line: number;
    place: string;
    from: string;
  }[];
  end: "literal" | "expression" | "call" | "unknown";
  expression: string;
  made_by: number;
  made_at: number;
  operands: { text: string; value: string }[];
}

export interface Variables {
  call: number;
  time: number;
  variables: Value[];
  globals: Value[];
}

export interface SourceLine {
  number: number;
  text: string;
  executed: number;
  marked: boolean;
  values: string[];
}

export interface Source {
  call: number;
  time: number;
  file: number;
  path: string;
  function: string;
  line: number;
  lines: SourceLine[];
}

export interface SourceFile {
  file: number;
  path: string;
  module: string;
  lines: string[];
}

export class Refused extends Error {
  readonly status: number;
  readonly contradicts: number[];

  constructor(message: string, status: number, contradicts: number[]) {
    super(message);
    this.status = status;
    this.contradicts = contradicts;
  }
}

const ROOT = new URL("api/", document.baseURI.replace(/[?#].*$/, ""));

async function answered<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const text = await response.text();
  try {
    const told = JSON.parse(text) as { error: string; contradicts: number[] };
    throw new Refused(told.error, response.status, told.contradicts);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(text.trim() || `status ${response.status}`, response.status, []);
  }
}

export type Query = Record<string, string | number | null | undefined>;

export function address(path: string, query: Query = {}): string {
  const url = new URL(path, ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return answered<T>(await fetch(address(path, query), signal ? { signal } : {}));
}

export async function post<T>(path: string, sent: object = {}, signal?: AbortSignal): Promise<T> {
  return answered<T>(
    await fetch(address(path), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(sent),
      ...(signal ? { signal } : {}),
    }),
  );
}

export function firstCall(key: string): number {
  return Number.parseInt(key, 10);
}
