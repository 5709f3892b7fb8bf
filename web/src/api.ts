// The JSON between server and page. Generated from src/wrongcall/web/contract.py by tools/generate_api.py:
// change the contract, then run `make format`.

/** A strategy that can be chosen. */
export interface Strategy {
  name: string;
  about: string;
}

/** What an oracle says about a question. */
export type Verdict =
  | "right"
  | "wrong"
  | "dont_know"
  | "trust_function"
  | "trust_module"
  | "inadmissible"
  | "wrong_part";

/** What the user makes of a finding. */
export type Choice = "confirm" | "reject" | "go_on" | "singly" | "dismiss";

/** Something that was said in the session. */
export interface Entry {
  number: number;
  said: Verdict | Choice;
  by: string;
  key: string;
  function: string;
}

/** An oracle of the session. */
export interface OracleUse {
  name: string;
  /** How many of its answers count, likely ones included. */
  answers: number;
  /** It is not asked any more. */
  silent: boolean;
}

/** Why a question is asked. */
export interface WhyFigures {
  strategy: string;
  /** How many calls can be the bug. */
  suspects: number;
  left_if_right: number;
  left_if_wrong: number;
  left_if_unknown: number;
  /** About how many questions are left, this one included. */
  expected: number;
  /** Whether that is what Optimal D&Q asks on average, or only a lower bound. */
  is_exact: boolean;
  note: string;
}

/** Why a question is asked. */
export interface Why extends WhyFigures {
  /** How many questions are left, in words. */
  left: string;
  /** Why it is asked, in a few sentences. */
  text: string;
}

/** How a call ended, by the words that `present` has for it. */
export type CallEnd = "returned" | "raised" | "abandoned" | "not_completed" | "still_running" | "never_ended";

/** What is known about a node. */
export type NodeStatus =
  | "right"
  | "wrong"
  | "trusted"
  | "unknown"
  | "inadmissible"
  | "explained"
  | "suspect"
  | "cleared"
  | "running";

/** The function that was called, and from where. */
export interface CallWhere {
  function: string;
  file: string;
  line: number;
  /** The call that made this one, 0: none. */
  caller: number;
  caller_line: number;
  /** That call with its arguments: ``post(title='x')``. */
  caller_title: string;
  /** The function which that line is in: not that of the caller, if this is in a generator expression that the caller was handed. */
  caller_function: string;
}

/** A value in a tree. */
export interface Value {
  /** The step that leads here, as in ``[2]`` or ``.left``; at the root a name. */
  label: string;
  summary: string;
  /** The name of an object's type; empty for plain values. */
  type: string;
  /** The object's id, 0 for plain values: the same id is the same object. */
  object: number;
  /** How many parts it has; more than `parts` if those are folded or too many. */
  size: number;
  /** It is shown in full elsewhere in this tree. */
  repeated: boolean;
  parts: Value[];
  /** An attribute that a library keeps in the program's object for itself. */
  bookkeeping: boolean;
  /** A text whose line leaves something out, or that has several lines. */
  is_long: boolean;
}

/** What happened to a place. */
export type ChangeKind = "changed" | "added" | "removed" | "moved";

/** Before and after, to be compared side by side: two objects, or the texts in one place. */
export interface Sides {
  before: number;
  /** The times. */
  after: number;
  old: number;
  /** The objects; 0: they are texts. */
  new: number;
  /** Of texts: the object that holds them. */
  holder: number;
  /** Of texts in a variable: the call whose variable it is. */
  owner: number;
  /** Of texts: the attribute, index or key in source notation, or the name of the variable. */
  step: string;
}

/** One difference between the entry and the exit of a call. */
export interface Change {
  kind: ChangeKind;
  /** As in ``c[2]`` or ``self.root.left``; an object that nothing leads to is named ``Node #12``. */
  place: string;
  /** What was there, empty if there was nothing. */
  old: string;
  /** What is there, empty if there is nothing. */
  new: string;
  /** Of an element that moved: where it was. */
  origin: string;
  /** The object it is a part of; 0: none, it is a variable. */
  object: number;
  /** The object that is there now; 0: none, or a plain value. */
  became: number;
  /** If others wrote there in between: what was there and what came, each time, some left out. */
  runs: [string, string][];
  /** How often that was. */
  times: number;
  /** The number of further changes of the object at this place that are not listed. */
  more: number;
  /** Of an element that a set got or lost: the set. */
  within: string;
  /** What to compare side by side; None: before or after has no parts, or nothing leads to it. */
  sides: Sides | null;
  /** Where the long text is that is there now, or was there if nothing is; None: there is none. */
  text: Sides | null;
}

/** What one of the others changed while a call ran. */
export interface Meanwhile {
  /** As in ``worker #12``. */
  by: string;
  /** 0: code that is not recorded. */
  call: number;
  changed: Change[];
  /** How many changes there are; at most `MOST_MEANWHILE` of them are shown. */
  count: number;
}

/** Where a call was when the run stopped, and what its variables were. */
export interface Stopped {
  /** As in: still running. */
  word: string;
  /** As in: still running when the run was killed, last seen at line 5. */
  text: string;
  /** 0: not known. */
  line: number;
  /** The call that it was waiting for, which had not ended either; 0: none. */
  inner: number;
  inner_title: string;
  /** Its variables at that time, but for arguments that are what they were. */
  variables: Value[];
}

/** Everything there is to judge a call by. */
export interface CallView {
  call: number;
  title: string;
  where: CallWhere;
  thread: number;
  entry: number;
  /** -1: not completed. */
  exit: number;
  /** When it had its arguments: given values are as of then. */
  time: number;
  given: Value[];
  /** Globals and variables of enclosing functions that it, or a call below it, read; constants last. */
  read: Value[];
  /** returned, raised, abandoned; still running, never ended, interrupted; while the run goes on: not completed */
  outcome: string;
  produced: Value | null;
  yielded: Value[];
  /** What the body of a class or of an imported module bound, but for functions and the like. */
  defined: Value[];
  changed: Change[];
  /** Its own variables that are different at its exit; invisible to its caller. */
  variables: Change[];
  printed: string;
  /** How many of `read`, at its end, are constants: bound once in the whole run, to what cannot change. */
  constants: number;
  /** The docstring of the function, as in the recorded source. */
  doc: string;
  /** What others changed while it ran; it is not to be judged by that. */
  meanwhile: Meanwhile[];
  /** Its state when the run stopped, or Ctrl-C ended it; None: it has ended, or the run goes on. */
  stopped: Stopped | null;
  /** Processes that it, or a call below it, started, in words: what they called, or that they were not recorded. */
  started: string;
  /** Those among them that were not recorded, in words. */
  unrecorded: string;
  /** The process that it ran in, ``process 2 (pid 1448)``; empty: the program itself. */
  process: string;
  /** How many changes inside libraries are not shown. */
  inside: number;
  /** Why what it read, and its docstring, are not known, in words; empty: they are. */
  unparsed: string;
  /** The root of paths into what it produced. */
  result_name: string;
}

/** A call as it is put to an oracle, and what is known about it. */
export interface Call extends CallView {
  /** What `outcome` says in words. */
  end: CallEnd;
  /** The caller is the main module: it has no title worth showing. */
  called_by_program: boolean;
  /** How many changes there are; of very many only the first are sent. */
  changed_count: number;
  status: NodeStatus;
  calls_below: number;
}

/** A call on one line. */
export interface Line {
  call: number;
  title: string;
  outcome: string;
}

/** The state at a boundary inside a call. */
export interface InsideView {
  call: number;
  boundary: number;
  /** The call, with its arguments. */
  title: string;
  /** What ends there: statement, condition, round, branch, ... */
  kind: string;
  file: string;
  line: number;
  source: string;
  /** What has just happened: ``After round 3 of 5 of `for x in xs` (line 4)``. */
  heading: string;
  /** The rounds that this is in, the innermost first. */
  rounds: string[];
  time: number;
  /** What this execution changed: variables, and what they hold. */
  changed: Change[];
  /** The state after it. */
  variables: Value[];
  /** Of a round of a comprehension: what it bound. */
  bound: string[];
  /** Of a round of a comprehension: what it called. */
  calls: Line[];
  /** How the call ended, if it ended there. */
  outcome: string;
  printed: string;
}

/** A question about what happened inside a call: was all right up to a boundary? */
export interface InsideQuestion extends InsideView {
  /** Which call it is about, and why the bug is there, in words. */
  found: string;
  /** How many changes there are; of very many only the first are sent. */
  changed_count: number;
  /** How many boundaries the call has. */
  boundaries: number;
}

/** A call of a group in one line. */
export interface ListedCall extends Line {
  /** How many equal calls it stands for, itself included. */
  count: number;
}

/** What a question about several calls shows; empty if it is about one. */
export interface GroupFields {
  members: ListedCall[];
  /** How many calls of a large group are not listed; they belong in the middle. */
  left_out: number;
  /** When the last call of a group ended. */
  after: number;
  changed: Change[];
  changed_count: number;
  printed: string;
  /** Processes that the calls of a group started, in words. */
  started: string;
  meanwhile: Meanwhile[];
}

/** The next question. */
export interface Question extends GroupFields {
  kind: "question";
  /** What an answer names. */
  key: string;
  /** The key of the node that it is about, or of the first one. */
  row: string;
  /** How many calls it is about. */
  calls: number;
  node: number;
  end: number;
  /** The nodes that it is about, each with its end: several if it confirms what is likely. */
  parts: [number, number][];
  /** It was answered before. */
  again: boolean;
  /** Each call is judged on its own: right means that all of them are. */
  list: boolean;
  /** All calls are likely right; if they are not confirmed, each is asked about on its own. */
  confirms: boolean;
  /** What oracles think of it without being certain, in words. */
  opinions: string[];
  why: Why | null;
  call: Call;
  /** Null: it is about calls. Otherwise `call` is the one that is searched. */
  inside: InsideQuestion | null;
}

/** Which side of a question a part belongs to. */
export type Side = "input" | "outcome" | "effect";

/** A place in what a question shows, such as ``result[2]`` in the outcome. */
export interface Part {
  where: Side;
  path: string;
}

/** An answer that was given, and the call that it is about. */
export interface GivenAnswer extends Line {
  number: number;
  verdict: Verdict;
  /** Who said so, in words. */
  by: string;
  /** The same, to stand behind the verdict: ``, by memory``; empty: the user. */
  author: string;
  part: Part | null;
  expected: string | null;
}

/** The statement, or the place that lacks one, with everything that speaks for it. */
export interface StatementView {
  call: number;
  kind: string;
  headline: string;
  /** As in ``prog.py:46``. */
  place: string;
  line: number;
  source: string;
  rounds: string[];
  /** What it did, or what is missing, in a sentence. */
  what: string;
  /** The values that it read. */
  read: Value[];
  changed: Change[];
  outcome: string;
  /** Why it must be this one, in a sentence. */
  why: string;
  /** The answers that it rests on. */
  reasons: string[];
  /** Where it may be instead. */
  undecided: string[];
  is_missing: boolean;
  /** Of the state after it. */
  time: number;
}

/** The bug. */
export interface Finding {
  kind: "finding";
  key: string;
  calls: number;
  confirmed: boolean;
  /** Where the bug is, as far as that is proved. */
  headline: string;
  /** Why it must be this one. */
  summary: string;
  evidence: GivenAnswer[];
  undecided: Line[];
  inadmissible: Line[];
  call: Call | null;
  /** Of the call's source: the statement; or those that made the wrong value, or at which the call stopped. */
  lines: number[];
  members: Line[];
  /** Where in the call the bug is; null: that was not searched. */
  statement: StatementView | null;
  /** The search can go on inside the call. */
  can_go_inside: boolean;
}

/** The search ended without a finding, or waits for more of the run. */
export interface NothingFound {
  kind: "no_bug" | "needs_more_tree";
  undecided: Line[];
}

/** Answers that cannot all be right. */
export interface Contradiction {
  kind: "contradiction";
  answers: GivenAnswer[];
}

export type Step = Question | Finding | NothingFound | Contradiction;

/** Everything the page needs to know about the session. */
export interface Session {
  version: number;
  /** Names the server: versions of another one are not comparable. */
  server: string;
  name: string;
  program: string;
  growing: boolean;
  ended: string | null;
  /** The program's exit code. */
  status: number | null;
  calls: number;
  events: number;
  suspects: number;
  /** The key of the wrong call that is searched. */
  root: string;
  strategy: string;
  strategies: Strategy[];
  entries: Entry[];
  can_undo: boolean;
  /** Why the session could not be saved; empty: it was. */
  unsaved: string;
  /** Why new events could not be read; empty: they could. */
  trouble: string;
  /** The oracles that are asked before the user, in this order. */
  oracles: OracleUse[];
  /** What is the matter with oracles that failed or were contradicted, in words. */
  oracle_troubles: string[];
  step: Step;
}

/** The variables of a call and of its module at a time. */
export interface Variables {
  call: number;
  time: number;
  variables: Value[];
  globals: Value[];
}

/** What happened. */
export type EventKind =
  | "line"
  | "branch"
  | "given"
  | "write"
  | "delete"
  | "call"
  | "caught"
  | "yield"
  | "resume"
  | "print"
  | "return"
  | "raise"
  | "drop";

/** One thing that happened in a call. */
export interface TraceEvent {
  time: number;
  kind: EventKind;
  line: number;
  place: string;
  value: string;
  /** The call that was made; 0: none. */
  call: number;
  /** Of a branch: how the test came out. */
  taken: boolean | null;
}

/** Some events of a call. */
export interface Events {
  call: number;
  count: number;
  first: number;
  /** Of the event at the time that was asked for. */
  index: number;
  before: number | null;
  after: number | null;
  events: TraceEvent[];
}

/** A value that a place had. */
export interface WrittenVersion {
  time: number;
  /** None: the place was removed. */
  value: string | null;
  line: number;
  function: string;
  call: number;
  /** It was found there, not written then. */
  seen: boolean;
  source: string;
}

/** A value that a place had, and the round in which it was written. */
export interface Version extends WrittenVersion {
  /** What each column was then; empty: the line is in no such loop. */
  rounds: string[];
}

/** Some values that a place had. */
export interface History {
  call: number;
  place: string;
  /** How many there are that match the filter. */
  count: number;
  first: number;
  /** Of the version at the time that was asked for; -1: a filter was asked for. */
  index: number;
  /** The variables of the loops in which it was written, and ``round``; empty: in none. */
  columns: string[];
  /** How many versions were compared with the filter: of very many, the first. */
  searched: number;
  versions: Version[];
}

export type Mark = [number, number, "changed" | "inside"];

/** The events of a call that changed a place. */
export interface Marks {
  call: number;
  place: string;
  count: number;
  marks: Mark[];
}

/** How a value reached a place. */
export type LinkKind = "written" | "passed" | "returned" | "seen";

export interface Link {
  kind: LinkKind;
  time: number;
  call: number;
  function: string;
  line: number;
  place: string;
  from: string;
}

/** Why a trail ends. */
export type TrailEnd = "literal" | "expression" | "call" | "unknown";

/** Part of an expression, and what it was. */
export interface Operand {
  text: string;
  value: string;
}

/** Where a value came from. */
export interface Trail {
  value: string;
  time: number;
  links: Link[];
  end: TrailEnd;
  expression: string;
  made_by: number;
  made_at: number;
  operands: Operand[];
  /** Why there may be more to it, in words; empty: nothing is missing. */
  missing: string;
}

/** Where the value at a place came from. */
export interface Origin extends Trail {
  call: number;
  place: string;
}

/** What happened. */
export type OriginKind =
  | "written"
  | "passed"
  | "returned"
  | "yielded"
  | "raised"
  | "seen"
  | "changed"
  | "removed"
  | "computed"
  | "condition"
  | "called"
  | "unknown";

/** How a value depends on a node. */
export type OriginRole = "asked" | "operand" | "element" | "key" | "container" | "condition" | "kept";

/** Something that a value came from. */
export interface OriginNode {
  kind: OriginKind;
  role: OriginRole;
  /** The place, expression or test, as the function that read it has it. */
  text: string;
  /** As of ``read``; empty if it is not known. */
  value: string;
  /** When it happened. */
  time: number;
  /** When the value was read. */
  read: number;
  /** The call in which it happened; 0 if that is not known. */
  call: number;
  function: string;
  line: number;
  /** The expression that gave the value. */
  source: string;
  /** The line of source. */
  code: string;
  /** The outcome of a test. */
  taken: boolean | null;
  /** What is not known, in words. */
  note: string;
}

/** What a node came from. */
export interface OriginLists {
  operands: OriginNode[];
  conditions: OriginNode[];
  kept: OriginNode[];
  /** Operands that are not listed. */
  left_out: number;
  note: string;
}

/** A node of the tree of everything that the value at a place depended on, and what it came from. */
export interface OriginParts extends OriginLists {
  call: number;
  place: string;
  node: OriginNode;
  /** The numbers of the nodes that lead to it, such as ``0.2``, each among the operands, conditions and kept of its parent, counted together; empty for the value itself. */
  at: string;
}

/** A line of source. */
export interface SourceLine {
  number: number;
  text: string;
  /** How often the call executed it. */
  executed: number;
  marked: boolean;
  /** What was written on it, the last writes: ``lb = 3``. */
  values: string[];
}

/** The source of a call with what was executed and written by a time. */
export interface Source {
  call: number;
  time: number;
  file: number;
  path: string;
  function: string;
  /** The line at that time; 0: none was asked for. */
  line: number;
  lines: SourceLine[];
}

/** A round of a loop in a call. */
export interface Rounds {
  call: number;
  /** The first line of the loop; 0: there is no loop. */
  header: number;
  last: number;
  count: number;
  round: number;
  start: number;
  /** The last time of the round. */
  end: number;
}

/** What an expression was in a call at a time. */
export interface Evaluated {
  call: number;
  time: number;
  expression: string;
  text: string;
  known: boolean;
}

/** One execution of a line. */
export interface LineRun {
  call: number;
  function: string;
  /** Of the loop around it, from 1; 0: there is none. */
  round: number;
  /** When it began. */
  time: number;
  /** What each expression was, right before. */
  values: string[];
  /** The same, if it was a number that can be drawn. */
  numbers: (number | null)[];
}

/** Some executions of a line. */
export interface LineRuns {
  file: number;
  line: number;
  expressions: string[];
  count: number;
  first: number;
  /** Of the last one up to the time that was asked for; -1: none. */
  index: number;
  /** It ran at that time, not before. */
  here: boolean;
  runs: LineRun[];
}

/** A function whose name matches. */
export interface FoundFunction {
  function: string;
  calls: number;
  /** Its first call. */
  first: number;
}

/** A file whose path matches. */
export interface FoundFile {
  path: string;
  /** Of its module; 0: none was recorded. */
  call: number;
}

/** Something that was found. */
export interface MatchData {
  kind: string;
  time: number;
  call: number;
  function: string;
  line: number;
  place: string;
  value: string | null;
  text: string;
}

/** Something that was found, with the source of its line. */
export interface SearchMatch extends MatchData {
  source: string;
}

/** What a search of the whole run has found so far. */
export interface SearchResults {
  search: string;
  /** False: the same request again continues. */
  done: boolean;
  /** Everything was searched; otherwise it ended because there are very many matches. */
  complete: boolean;
  /** The share of the run that has been searched, from 0 to 1. */
  progress: number;
  /** What is wrong with the text; empty: nothing. */
  trouble: string;
  functions: FoundFunction[];
  files: FoundFile[];
  matches: SearchMatch[];
}

/** A call in one line, for the tree. */
export interface Title extends Line {
  /** False: its outcome may still change. */
  completed: boolean;
}

/** The same thing of two calls. */
export interface ComparedRow {
  /** The part of a question that it belongs to: given, outcome, changed, printed, read. */
  part: string;
  /** The name of an argument or variable, or the changed place; empty: there is only one of these. */
  label: string;
  /** None: the first call has no such thing. */
  first: string | null;
  second: string | null;
  /** None: it can't be told. */
  same: boolean | null;
}

/** Two calls side by side. */
export interface Compared {
  /** The first and the second. */
  calls: Title[];
  rows: ComparedRow[];
  /** Rows in which the calls are known to differ. */
  differences: number;
  /** Rows of which that can't be told. */
  unknown: number;
}

/** A line that the program printed. */
export interface OutputLine {
  text: string;
  call: number;
  time: number;
}

/** Some of the lines that the program printed. */
export interface Output {
  count: number;
  first: number;
  index: number;
  lines: OutputLine[];
}

/** Some parts of an object at a time. */
export interface Parts {
  object: number;
  time: number;
  first: number;
  parts: Value[];
}

/** A column of a grid. */
export interface GridHead {
  name: string;
  /** Empty: the cells are any objects. */
  dtype: string;
  /** What leads from a row to its cell, as in ``['price']``; empty: cells have no path of their own. */
  step: string;
}

/** A row of a table. */
export interface GridRow {
  /** Its position in the program's value. */
  number: number;
  label: string;
  step: string;
  cells: string[];
  /** What each cell was at the other time; null: the same. Empty: nothing is compared, or the whole row is new. */
  others: (string | null)[];
  /** There was no such row at the other time. */
  new: boolean;
}

/** Some rows of an object that is a table; no columns: it is none. */
export interface Grid {
  object: number;
  time: number;
  first: number;
  heads: GridHead[];
  more_columns: number;
  rows: number;
  /** How many rows were recorded, from the first on. */
  known: number;
  some: GridRow[];
}

/** The ways in which an object can be looked at, besides the list of its parts. */
export interface Views {
  object: number;
  time: number;
  views: ("table" | "graph" | "image")[];
}

/** A plain part of a node. */
export interface GraphField {
  label: string;
  text: string;
  /** What it is at the other time, if that is something else; null: the same, or nothing is compared. */
  other: string | null;
}

/** A box. */
export interface GraphNode {
  object: number;
  title: string;
  /** What leads to it from the first one. */
  path: string;
  fields: GraphField[];
  /** Fields that are left out. */
  more: number;
  /** It is there at the time that was asked for, not only at the other one. */
  here: boolean;
  state: "same" | "new" | "gone" | "changed";
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An arrow, between nodes by their numbers in the list. */
export interface GraphEdge {
  source: number;
  target: number;
  label: string;
  state: "same" | "new" | "gone" | "changed";
}

/** A graph of objects, placed to be drawn. */
export interface ObjectGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  width: number;
  height: number;
  /** Objects that are referred to and left out. */
  more: number;
}

/** The objects that an object leads to, placed to be drawn. */
export interface DrawnGraph extends ObjectGraph {
  object: number;
  time: number;
}

/** An array as an image. */
export interface ImagePixels {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, row by row, from 0 to 255; empty: it can't be shown. */
  pixels: number[];
  /** How numbers became brightness, in words. */
  scale: string;
  /** Why it can't be shown; empty: it can. */
  trouble: string;
}

/** An array as an image. */
export interface DrawnImage extends ImagePixels {
  object: number;
  time: number;
}

export type Span = [string, boolean];

/** A part on both sides. */
export interface SideRow {
  kind: "same" | "changed" | "added" | "removed" | "gap";
  depth: number;
  old_label: string;
  new_label: string;
  /** Empty: there was nothing. */
  old: Span[];
  new: Span[];
  /** Of a gap: how many equal parts it stands for. */
  count: number;
  note: string;
}

/** Two values side by side. */
export interface SideBySide {
  rows: SideRow[];
  /** How many rows there are beyond these. */
  more: number;
  /** What was not compared, in words. */
  note: string;
}

/** A part of a text. */
export interface LongText {
  length: number;
  /** How many characters were recorded, from the first on. */
  known: number;
  first: number;
  /** Where the part ends. */
  last: number;
  /** The part from `first` to `last`; what is searched for is marked. Characters that a browser would act upon are escaped, except for the ends of lines and tabs. */
  spans: Span[];
  /** Where the searched text begins, in the whole text: the first ones. */
  found: number[];
  /** How often it occurs. */
  count: number;
}

/** A part of the text at a place. */
export interface TextPart extends LongText {
  call: number;
  place: string;
}

/** A value as Python source. */
export interface Rebuilt {
  call: number;
  place: string;
  /** An expression, or statements that leave it in ``value``; empty: it can't be rebuilt. */
  text: string;
  /** Why it can't be rebuilt; empty: it can. */
  trouble: string;
}

/** The numbers that a variable of a call had. */
export interface Series {
  name: string;
  /** How many values it had; of very many only some are points. */
  count: number;
  /** Time and number of each. */
  points: [number, number][];
}

/** The variables of a call that are numbers and had several values up to a time. */
export interface AllSeries {
  call: number;
  time: number;
  series: Series[];
}

/** A file of the program as it was. */
export interface SourceFile {
  file: number;
  path: string;
  /** To open it in an editor. */
  full_path: string;
  module: string;
  lines: string[];
}

/** The nodes above a node, the outermost first. */
export interface Path {
  key: string;
  /** The row that shows the node: its own or, of a group inside a group, that of its first call. */
  row: string;
  above: string[];
  /** The function of each of them; empty: it is a group. */
  functions: string[];
}

export type Widths = "calls" | "time";

export type Box = [number, number, number, NodeStatus, number, string, string, number, number];

export type Dust = [number, number, number, number];

/** A thread, a task or a generator in the picture. */
export interface Lane {
  name: string;
  /** Of its outermost calls. */
  level: number;
}

/** The run as a picture. */
export interface Picture {
  version: number;
  widths: Widths;
  first: number;
  end: number;
  /** Where the run ends: from 0 to there is all of it. */
  whole: number;
  boxes: Box[];
  dust: Dust[];
  /** Empty: there is only one. */
  lanes: Lane[];
  /** Where calls of the functions that are searched for are, at most one for each pixel. */
  matches: number[];
  /** Where the node is that was asked for; -1: nowhere. */
  mark: number;
}

/** A verdict about a node of the tree. */
export interface Judgement {
  key: string;
  verdict: Verdict;
  part?: Part;
  expected?: string;
  /** Replace the earlier answers that it contradicts. */
  replace?: boolean;
  /** Of a question about what happened inside a call. */
  boundary?: number;
}

/** No parameters. */
export type Nothing = Record<string, never>;

/** The oracle that is asked no more; what it said is taken back. */
export interface OracleChosen {
  name: string;
}

/** The strategy to use from now on. */
export interface StrategyChoice {
  name: string;
}

/** A call, by its key in the tree. */
export interface CallChosen {
  key: string;
}

/** Which rows of the tree are asked for. */
export interface RowsWanted {
  /** The keys of the open nodes; null: all but the closed ones are open. */
  open: string[] | null;
  closed: string[];
  function: string;
  value: string;
  status: NodeStatus | "";
  /** False: without bodies of classes and modules in which nothing is suspect. */
  bodies?: boolean;
  first: number;
  count: number;
  find?: string;
}

/** A row of the tree. */
export interface Row {
  key: string;
  node: number;
  end: number;
  /** How many calls are above it: how far it is indented. */
  depth: number;
  /** How many rows are above it: calls, and groups that are drawn. */
  level: number;
  kind: "call" | "collapsed" | "projected";
  /** Empty: it is a group of calls of several functions. */
  function: string;
  status: NodeStatus;
  suspects: number;
  /** The row above it; empty: none. */
  parent: string;
  /** It is a member of the group above it. */
  grouped: boolean;
}

/** Some rows of the tree. */
export interface Rows {
  version: number;
  count: number;
  first: number;
  /** The row that was searched for; -1: it is not visible. */
  found: number;
  /** How many calls a search for a value has looked at. */
  looked: number;
  /** How many calls it has to look at. */
  candidates: number;
  /** How many bodies of classes and modules can be left out: nothing in them is suspect. */
  bodies: number;
  rows: Row[];
}

/** The calls that are asked about. */
export interface CallsWanted {
  calls: number[];
}

/** Calls in one line each. */
export interface Titles {
  titles: Title[];
}

/** What a call of a list is judged by, besides its title and outcome. */
export interface MemberDetails {
  call: number;
  /** When it had its arguments. */
  before: number;
  /** When it ended. */
  after: number;
  given: Value[];
  produced: Value | null;
  /** The root of paths into what it produced. */
  result_name: string;
  read: Value[];
  /** How many of `read`, at its end, are constants. */
  constants: number;
  yielded: Value[];
  changed: Change[];
  changed_count: number;
  meanwhile: Meanwhile[];
  printed: string;
}

/** The details of some calls of a list. */
export interface Members {
  members: MemberDetails[];
}

/** Why a request was refused. */
export interface Failure {
  error: string;
  /** The numbers of the answers that it contradicts. */
  contradicts: number[];
}

/** What each GET answers. */
export interface Answers {
  session: Session;
  "calls/{call}": Call;
  "calls/{call}/variables": Variables;
  "calls/{call}/events": Events;
  "calls/{call}/history": History;
  "calls/{call}/marks": Marks;
  "calls/{call}/origin": Origin;
  "calls/{call}/origin-parts": OriginParts;
  "calls/{call}/source": Source;
  "calls/{call}/rounds": Rounds;
  "calls/{call}/eval": Evaluated;
  "files/{file}/runs": LineRuns;
  find: SearchResults;
  "calls/{call}/compare": Compared;
  output: Output;
  "objects/{object}": Parts;
  "objects/{object}/grid": Grid;
  "objects/{object}/views": Views;
  "objects/{object}/graph": DrawnGraph;
  "objects/{object}/image": DrawnImage;
  "side-by-side": SideBySide;
  "calls/{call}/text": TextPart;
  "changed-text": TextPart;
  "calls/{call}/python": Rebuilt;
  "calls/{call}/series": AllSeries;
  "files/{file}": SourceFile;
  path: Path;
  icicle: Picture;
}

/** What each POST sends and answers. */
export interface Exchanges {
  "session/answer": { sent: Judgement; answer: Session };
  "session/judge": { sent: Judgement; answer: Session };
  "session/undo": { sent: Nothing; answer: Session };
  "session/confirm": { sent: Nothing; answer: Session };
  "session/reject": { sent: Nothing; answer: Session };
  "session/go-on": { sent: Nothing; answer: Session };
  "session/dismiss": { sent: OracleChosen; answer: Session };
  "session/strategy": { sent: StrategyChoice; answer: Session };
  "session/inside": { sent: CallChosen; answer: Session };
  "session/stop-at-call": { sent: Nothing; answer: Session };
  rows: { sent: RowsWanted; answer: Rows };
  titles: { sent: CallsWanted; answer: Titles };
  members: { sent: CallsWanted; answer: Members };
}
