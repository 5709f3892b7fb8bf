"""The JSON between server and page, described once: what is asked for, and what is answered.

The server's functions return these types, which mypy checks; ``tools/generate_api.py`` makes
``web/src/api.ts`` of them, which TypeScript checks. View models of `wrongcall.present` that are
sent as they are (values, changes, lines of source) are part of the contract; what the page calls
them is in `PAGE_NAMES`.

How Python becomes JSON is in `wire`: a dataclass is an object with its fields, an enum is its name
in lower case. So whatever the page compares is an identifier. Text for people (a title, a summary,
an error) is only ever shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar

from wrongcall.present.compared_calls import ComparedRow
from wrongcall.present.diffs import DiffLine, MeanwhileLine
from wrongcall.present.excerpts import ExcerptLine
from wrongcall.present.grids import Head
from wrongcall.present.groups import Member
from wrongcall.present.images import Image
from wrongcall.present.inside_questions import InsideView, StatementView
from wrongcall.present.json_shapes import EventData, LinkData, OperandData, OriginData, VersionData
from wrongcall.present.matches import MatchData
from wrongcall.present.origin_tree import OriginNodeData, OriginPartsData
from wrongcall.present.questions import QuestionView as CallView
from wrongcall.present.questions import Where as CallWhere
from wrongcall.present.side_by_side import SideBySide
from wrongcall.present.stopping import StoppedView
from wrongcall.present.text_diff import Span
from wrongcall.present.values import ValueNode
from wrongcall.present.written_rounds import RoundedVersion
from wrongcall.recording import EndKind, NodeKind, Role, StepKind
from wrongcall.session import Choice, Part, Verdict, Where
from wrongcall.session import Why as SessionWhy
from wrongcall.web.inside_contract import (
    AllSeries,
    DrawnGraph,
    DrawnImage,
    Evaluated,
    Events,
    Grid,
    History,
    LineRuns,
    Mark,
    Marks,
    Origin,
    OriginParts,
    Output,
    Parts,
    Rebuilt,
    Rounds,
    Source,
    SourceFile,
    TextPart,
    Variables,
    Views,
)
from wrongcall.web.node_status import NodeStatus

Sent = TypeVar("Sent")
Answer = TypeVar("Answer")


class CallEnd(Enum):
    """How a call ended, by the words that `present` has for it."""

    RETURNED = "returned"
    RAISED = "raised"
    ABANDONED = "abandoned"
    NOT_COMPLETED = "not completed"
    STILL_RUNNING = "still running"
    NEVER_ENDED = "never ended"


# -- calls -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Call(CallView):
    """A call as it is put to an oracle, and what is known about it."""

    end: CallEnd
    """What `outcome` says in words."""
    called_by_program: bool
    """The caller is the main module: it has no title worth showing."""
    changed_count: int
    """How many changes there are; of very many only the first are sent."""
    status: NodeStatus
    calls_below: int


@dataclass(frozen=True, kw_only=True)
class ListedCall(Member):
    """A call of a group in one line."""

    count: int = 1
    """How many equal calls it stands for, itself included."""


@dataclass(frozen=True, kw_only=True)
class Title(Member):
    """A call in one line, for the tree."""

    completed: bool
    """False: its outcome may still change."""


class Titles(TypedDict):
    """Calls in one line each."""

    titles: list[Title]


class MemberDetails(TypedDict):
    """What a call of a list is judged by, besides its title and outcome."""

    call: int
    before: int
    """When it had its arguments."""
    after: int
    """When it ended."""
    given: Sequence[ValueNode]
    produced: ValueNode | None
    result_name: str
    """The root of paths into what it produced."""
    read: Sequence[ValueNode]
    constants: int
    """How many of `read`, at its end, are constants."""
    yielded: Sequence[ValueNode]
    changed: Sequence[DiffLine]
    changed_count: int
    meanwhile: Sequence[MeanwhileLine]
    printed: str


class Members(TypedDict):
    """The details of some calls of a list."""

    members: list[MemberDetails]


# -- the session -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class GivenAnswer(Member):
    """An answer that was given, and the call that it is about."""

    number: int
    verdict: Verdict
    by: str
    """Who said so, in words."""
    author: str
    """The same, to stand behind the verdict: ``, by memory``; empty: the user."""
    part: Part | None
    expected: str | None


class GroupFields(TypedDict):
    """What a question about several calls shows; empty if it is about one."""

    members: Sequence[ListedCall]
    left_out: int
    """How many calls of a large group are not listed; they belong in the middle."""
    after: int
    """When the last call of a group ended."""
    changed: Sequence[DiffLine]
    changed_count: int
    printed: str
    started: str
    """Processes that the calls of a group started, in words."""
    meanwhile: Sequence[MeanwhileLine]


@dataclass(frozen=True, kw_only=True)
class Why(SessionWhy):
    """Why a question is asked."""

    left: str
    """How many questions are left, in words."""
    text: str
    """Why it is asked, in a few sentences."""


@dataclass(frozen=True, kw_only=True)
class InsideQuestion(InsideView):
    """A question about what happened inside a call: was all right up to a boundary?"""

    found: str
    """Which call it is about, and why the bug is there, in words."""
    changed_count: int
    """How many changes there are; of very many only the first are sent."""
    boundaries: int
    """How many boundaries the call has."""


class Question(GroupFields):
    """The next question."""

    kind: Literal["question"]
    key: str
    """What an answer names."""
    row: str
    """The key of the node that it is about, or of the first one."""
    calls: int
    """How many calls it is about."""
    node: int
    end: int
    parts: Sequence[tuple[int, int]]
    """The nodes that it is about, each with its end: several if it confirms what is likely."""
    again: bool
    """It was answered before."""
    list: bool
    """Each call is judged on its own: right means that all of them are."""
    confirms: bool
    """All calls are likely right; if they are not confirmed, each is asked about on its own."""
    opinions: Sequence[str]
    """What oracles think of it without being certain, in words."""
    why: Why | None
    call: Call
    inside: InsideQuestion | None
    """Null: it is about calls. Otherwise `call` is the one that is searched."""


class Finding(TypedDict):
    """The bug."""

    kind: Literal["finding"]
    key: str
    calls: int
    confirmed: bool
    headline: str
    """Where the bug is, as far as that is proved."""
    summary: str
    """Why it must be this one."""
    evidence: list[GivenAnswer]
    undecided: list[Member]
    inadmissible: list[Member]
    call: Call | None
    lines: list[int]
    """Of the call's source: the statement; or those that made the wrong value, or at which the call stopped."""
    members: list[Member]
    statement: StatementView | None
    """Where in the call the bug is; null: that was not searched."""
    can_go_inside: bool
    """The search can go on inside the call."""


class NothingFound(TypedDict):
    """The search ended without a finding, or waits for more of the run."""

    kind: Literal["no_bug", "needs_more_tree"]
    undecided: list[Member]


class Contradiction(TypedDict):
    """Answers that cannot all be right."""

    kind: Literal["contradiction"]
    answers: list[GivenAnswer]


Step = Question | Finding | NothingFound | Contradiction


class Entry(TypedDict):
    """Something that was said in the session."""

    number: int
    said: Verdict | Choice
    by: str
    key: str
    function: str


class Strategy(TypedDict):
    """A strategy that can be chosen."""

    name: str
    about: str


class OracleUse(TypedDict):
    """An oracle of the session."""

    name: str
    answers: int
    """How many of its answers count, likely ones included."""
    silent: bool
    """It is not asked any more."""


class Session(TypedDict):
    """Everything the page needs to know about the session."""

    version: int
    server: str
    """Names the server: versions of another one are not comparable."""
    name: str
    program: str
    growing: bool
    ended: str | None
    status: int | None
    """The program's exit code."""
    calls: int
    events: int
    suspects: int
    root: str
    """The key of the wrong call that is searched."""
    strategy: str
    strategies: list[Strategy]
    entries: list[Entry]
    can_undo: bool
    unsaved: str
    """Why the session could not be saved; empty: it was."""
    trouble: str
    """Why new events could not be read; empty: they could."""
    oracles: list[OracleUse]
    """The oracles that are asked before the user, in this order."""
    oracle_troubles: Sequence[str]
    """What is the matter with oracles that failed or were contradicted, in words."""
    step: Step


class Failure(TypedDict):
    """Why a request was refused."""

    error: str
    contradicts: list[int]
    """The numbers of the answers that it contradicts."""


# -- the tree --------------------------------------------------------------------------------------


class Row(TypedDict):
    """A row of the tree."""

    key: str
    node: int
    end: int
    depth: int
    """How many calls are above it: how far it is indented."""
    level: int
    """How many rows are above it: calls, and groups that are drawn."""
    kind: Literal["call", "collapsed", "projected"]
    function: str
    """Empty: it is a group of calls of several functions."""
    status: NodeStatus
    suspects: int
    parent: str
    """The row above it; empty: none."""
    grouped: bool
    """It is a member of the group above it."""


class Rows(TypedDict):
    """Some rows of the tree."""

    version: int
    count: int
    first: int
    found: int
    """The row that was searched for; -1: it is not visible."""
    looked: int
    """How many calls a search for a value has looked at."""
    candidates: int
    """How many calls it has to look at."""
    bodies: int
    """How many bodies of classes and modules can be left out: nothing in them is suspect."""
    rows: list[Row]


class Path(TypedDict):
    """The nodes above a node, the outermost first."""

    key: str
    row: str
    """The row that shows the node: its own or, of a group inside a group, that of its first call."""
    above: list[str]
    functions: list[str]
    """The function of each of them; empty: it is a group."""


Box = tuple[int, int, int, NodeStatus, float, str, str, int, int]
"""Node, end, level, status, share of suspects, key, function, and from where to where it is drawn."""
Dust = tuple[int, int, int, float]
"""From, to, level, share of suspects: calls that are too narrow to be drawn."""
Widths = Literal["calls", "time"]
"""What widths show: how many calls a call made, or how long it took, in events."""


class Lane(TypedDict):
    """A thread, a task or a generator in the picture."""

    name: str
    level: int
    """Of its outermost calls."""


class Picture(TypedDict):
    """The run as a picture."""

    version: int
    widths: Widths
    first: int
    end: int
    whole: int
    """Where the run ends: from 0 to there is all of it."""
    boxes: list[Box]
    dust: list[Dust]
    lanes: list[Lane]
    """Empty: there is only one."""
    matches: list[int]
    """Where calls of the functions that are searched for are, at most one for each pixel."""
    mark: int
    """Where the node is that was asked for; -1: nowhere."""


# -- searching the run -----------------------------------------------------------------------------


class SearchMatch(MatchData):
    """Something that was found, with the source of its line."""

    source: str


class FoundFunction(TypedDict):
    """A function whose name matches."""

    function: str
    calls: int
    first: int
    """Its first call."""


class FoundFile(TypedDict):
    """A file whose path matches."""

    path: str
    call: int
    """Of its module; 0: none was recorded."""


class SearchResults(TypedDict):
    """What a search of the whole run has found so far."""

    search: str
    done: bool
    """False: the same request again continues."""
    complete: bool
    """Everything was searched; otherwise it ended because there are very many matches."""
    progress: float
    """The share of the run that has been searched, from 0 to 1."""
    trouble: str
    """What is wrong with the text; empty: nothing."""
    functions: list[FoundFunction]
    files: list[FoundFile]
    matches: list[SearchMatch]


class Compared(TypedDict):
    """Two calls side by side."""

    calls: list[Title]
    """The first and the second."""
    rows: tuple[ComparedRow, ...]
    differences: int
    """Rows in which the calls are known to differ."""
    unknown: int
    """Rows of which that can't be told."""


# -- what is sent ----------------------------------------------------------------------------------


class Nothing(TypedDict):
    """No parameters."""


class Judgement(TypedDict):
    """A verdict about a node of the tree."""

    key: str
    verdict: Verdict
    part: NotRequired[Part]
    expected: NotRequired[str]
    replace: NotRequired[bool]
    """Replace the earlier answers that it contradicts."""
    boundary: NotRequired[int]
    """Of a question about what happened inside a call."""


class CallChosen(TypedDict):
    """A call, by its key in the tree."""

    key: str


class OracleChosen(TypedDict):
    """The oracle that is asked no more; what it said is taken back."""

    name: str


class StrategyChoice(TypedDict):
    """The strategy to use from now on."""

    name: str


class RowsWanted(TypedDict):
    """Which rows of the tree are asked for."""

    open: list[str] | None
    """The keys of the open nodes; null: all but the closed ones are open."""
    closed: list[str]
    function: str
    value: str
    status: NodeStatus | Literal[""]
    bodies: NotRequired[bool]
    """False: without bodies of classes and modules in which nothing is suspect."""
    first: int
    count: int
    find: NotRequired[str]


class CallsWanted(TypedDict):
    """The calls that are asked about."""

    calls: list[int]


# -- the requests ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Get(Generic[Answer]):
    """A request that reads: its path, with the names of numbers in braces, and the type of its answer."""

    path: str
    answer: type[Answer]


@dataclass(frozen=True)
class Post(Generic[Sent, Answer]):
    """A request with a body: its path, and the types of what is sent and of the answer."""

    path: str
    sent: type[Sent]
    answer: type[Answer]


SESSION = Get("session", Session)
CALL = Get("calls/{call}", Call)
VARIABLES = Get("calls/{call}/variables", Variables)
EVENTS = Get("calls/{call}/events", Events)
HISTORY = Get("calls/{call}/history", History)
MARKS = Get("calls/{call}/marks", Marks)
ORIGIN = Get("calls/{call}/origin", Origin)
ORIGIN_PARTS = Get("calls/{call}/origin-parts", OriginParts)
SOURCE = Get("calls/{call}/source", Source)
ROUNDS = Get("calls/{call}/rounds", Rounds)
EVAL = Get("calls/{call}/eval", Evaluated)
RUNS = Get("files/{file}/runs", LineRuns)
FIND = Get("find", SearchResults)
COMPARE = Get("calls/{call}/compare", Compared)
OUTPUT = Get("output", Output)
PARTS = Get("objects/{object}", Parts)
GRID = Get("objects/{object}/grid", Grid)
VIEWS = Get("objects/{object}/views", Views)
GRAPH = Get("objects/{object}/graph", DrawnGraph)
IMAGE = Get("objects/{object}/image", DrawnImage)
SIDES = Get("side-by-side", SideBySide)
TEXT = Get("calls/{call}/text", TextPart)
CHANGED_TEXT = Get("changed-text", TextPart)
PYTHON = Get("calls/{call}/python", Rebuilt)
SERIES = Get("calls/{call}/series", AllSeries)
FILE = Get("files/{file}", SourceFile)
PATH = Get("path", Path)
ICICLE = Get("icicle", Picture)

ANSWER = Post("session/answer", Judgement, Session)
JUDGE = Post("session/judge", Judgement, Session)
UNDO = Post("session/undo", Nothing, Session)
CONFIRM = Post("session/confirm", Nothing, Session)
REJECT = Post("session/reject", Nothing, Session)
GO_ON = Post("session/go-on", Nothing, Session)
DISMISS = Post("session/dismiss", OracleChosen, Session)
STRATEGY = Post("session/strategy", StrategyChoice, Session)
INSIDE = Post("session/inside", CallChosen, Session)
STOP_AT_CALL = Post("session/stop-at-call", Nothing, Session)
ROWS = Post("rows", RowsWanted, Rows)
TITLES = Post("titles", CallsWanted, Titles)
MEMBERS = Post("members", CallsWanted, Members)

GETS: tuple[Get[Any], ...] = (
    *(SESSION, CALL, VARIABLES, EVENTS, HISTORY, MARKS, ORIGIN, ORIGIN_PARTS),
    *(SOURCE, ROUNDS, EVAL, RUNS, FIND, COMPARE, OUTPUT, PARTS, GRID),
    *(VIEWS, GRAPH, IMAGE, SIDES, TEXT, CHANGED_TEXT, PYTHON, SERIES, FILE, PATH, ICICLE),
)
"""All requests that are answered in JSON and send nothing."""
POSTS: tuple[Post[Any, Any], ...] = (
    *(ANSWER, JUDGE, UNDO, CONFIRM, REJECT, GO_ON, DISMISS, STRATEGY, INSIDE, STOP_AT_CALL),
    *(ROWS, TITLES, MEMBERS),
)
"""All requests that send something."""
PAGE_NAMES: dict[object, str] = {
    ValueNode: "Value",
    DiffLine: "Change",
    MeanwhileLine: "Meanwhile",
    Head: "GridHead",
    StoppedView: "Stopped",
    ExcerptLine: "SourceLine",
    Member: "Line",
    CallView: "CallView",
    SessionWhy: "WhyFigures",
    CallWhere: "CallWhere",
    EventData: "TraceEvent",
    VersionData: "WrittenVersion",
    RoundedVersion: "Version",
    Image: "ImagePixels",
    OriginData: "Trail",
    OriginNodeData: "OriginNode",
    OriginPartsData: "OriginLists",
    NodeKind: "OriginKind",
    Role: "OriginRole",
    LinkData: "Link",
    OperandData: "Operand",
    Where: "Side",
    StepKind: "EventKind",
    EndKind: "TrailEnd",
}
"""What types of other layers are called on the page, if not as they are in Python."""
ALIASES: dict[str, object] = {
    "Step": Step,
    "Box": Box,
    "Dust": Dust,
    "Widths": Widths,
    "Mark": Mark,
    "Span": Span,
}
"""Types that have a name though they are no classes."""
