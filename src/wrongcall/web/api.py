"""The requests of the page: what each asks for, and what it changes (docs/reference/api.md).

A handler has the worker do a job, on the workspace or on a snapshot of the tree (which never waits),
and answers with JSON of the types in `contract`. If the request is at fault, the answer has status 400
and a message.
"""

from __future__ import annotations

import reprlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from wrongcall.errors import ContradictionError, TraceError, UsageError, WrongcallError
from wrongcall.present.diffs import Sides
from wrongcall.present.side_by_side import SideBySide
from wrongcall.session import Part, Question, Verdict, Where
from wrongcall.session.search import Search
from wrongcall.tree.tree import NOBODY
from wrongcall.web import (
    call_json,
    contract,
    history_json,
    icicle,
    inside_contract,
    line_json,
    session_json,
    tree_rows,
    value_json,
)
from wrongcall.web.job_thread import Urgency
from wrongcall.web.node_status import NodeStatus
from wrongcall.web.request_fields import (
    Body,
    body,
    dotted,
    maybe,
    named,
    number,
    numbers,
    text,
    whole,
    word,
    words,
)
from wrongcall.web.run_search import RunSearch
from wrongcall.web.tree_snapshot import MAX_DIGITS, TreeSnapshot, parse_key
from wrongcall.web.value_search import ValueSearch
from wrongcall.web.wire import member_of, to_json
from wrongcall.web.worker import Worker
from wrongcall.web.workspace import Workspace

MAX_PIXELS = 4000
MAX_TITLES = 200
TITLES_PER_JOB = 4
"""Titles are read in small jobs, so that urgent requests can come in between."""
REPORTS = {"md": "text/markdown", "html": "text/html", "json": "application/json"}
"""The formats of a report, and their media types."""

Handler = Callable[[Request], Awaitable[Response]]
A = TypeVar("A")
"""What is answered."""
S = TypeVar("S")
"""What is sent."""
T = TypeVar("T")


class _Number(Convertor[int]):
    """A number in a path; one with too many digits matches nothing."""

    regex = f"[0-9]{{1,{MAX_DIGITS}}}"

    def convert(self, value: str) -> int:
        """Return the number in a path."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return a number as it is written in a path."""
        return str(value)


register_url_convertor("number", _Number())


class Json(JSONResponse):
    """An answer of the contract's types."""

    def render(self, content: object) -> bytes:
        """Return the bytes to send."""
        return to_json(content)


class Api:
    """The handlers of all requests."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._tree_rows = tree_rows.TreeRows()
        self._value_search = ValueSearch()
        self._run_search = RunSearch()
        self._cache = call_json.Cache()

    def routes(self) -> list[Route]:
        """Return all routes."""
        return [
            self._read(contract.SESSION, lambda r: session_json.session_data, Urgency.QUESTION),
            self._read(contract.CALL, lambda r: lambda w: call_json.call_data(w, named(r))),
            self._read(contract.VARIABLES, self._variables),
            self._read(contract.EVENTS, self._events),
            self._read(contract.HISTORY, self._history),
            self._read(contract.MARKS, self._marks),
            self._read(contract.ORIGIN, self._origin),
            self._read(contract.ORIGIN_PARTS, self._origin_parts),
            self._read(contract.SOURCE, self._source),
            self._read(contract.ROUNDS, self._rounds),
            self._read(contract.EVAL, self._eval),
            self._read(contract.RUNS, self._runs),
            self._read(contract.FIND, self._find),
            self._read(contract.COMPARE, self._compare),
            self._read(contract.OUTPUT, self._output),
            self._read(contract.PARTS, self._parts),
            self._read(contract.GRID, self._grid),
            self._read(contract.VIEWS, self._views),
            self._read(contract.GRAPH, self._graph),
            self._read(contract.IMAGE, self._image),
            self._read(contract.SIDES, self._sides),
            self._read(contract.TEXT, self._text),
            self._read(contract.CHANGED_TEXT, self._changed_text),
            self._read(contract.PYTHON, self._python),
            self._read(contract.SERIES, self._series),
            self._read(contract.FILE, self._file),
            self._snapshot(
                contract.PATH, lambda r: lambda s: tree_rows.path_data(s, text(r, "key"))
            ),
            self._snapshot(contract.ICICLE, _icicle),
            self._change(contract.ANSWER, _answer),
            self._change(contract.JUDGE, _judge),
            self._change(contract.UNDO, lambda b: Search.undo),
            self._change(contract.CONFIRM, lambda b: lambda s: s.confirm()),
            self._change(contract.REJECT, lambda b: Search.reject),
            self._change(contract.GO_ON, lambda b: lambda s: s.go_on()),
            self._change(contract.DISMISS, lambda b: _dismiss(word(b, "name"))),
            self._change(contract.STRATEGY, lambda b: lambda s: s.use(word(b, "name"))),
            self._change(contract.INSIDE, _inside),
            self._change(contract.STOP_AT_CALL, lambda b: _stop_at_call),
            _post(contract.ROWS, self._rows),
            self._in_small_jobs(contract.TITLES, call_json.title_data, lambda t: {"titles": t}),
            self._in_small_jobs(
                contract.MEMBERS, session_json.member_data, lambda m: {"members": m}
            ),
            Route("/api/report", self._report),
            Route("/api/changes", self._versions),
        ]

    # -- how a request is handled ------------------------------------------------------------------

    def _read(
        self,
        to: contract.Get[A],
        ask: Callable[[Request], Callable[[Workspace], A]],
        urgency: Urgency = Urgency.PANEL,
    ) -> Route:
        """Return the route of a request that reads the trace."""

        async def answer(request: Request) -> A:
            return await self._worker.do(ask(request), urgency)

        return _get(to, answer)

    def _snapshot(
        self, to: contract.Get[A], ask: Callable[[Request], Callable[[TreeSnapshot], A]]
    ) -> Route:
        """Return the route of a request about the tree, which never waits for the trace."""

        async def answer(request: Request) -> A:
            return await self._worker.snapshot(ask(request))

        return _get(to, answer)

    def _change(
        self,
        to: contract.Post[S, contract.Session],
        tell: Callable[[Body], Callable[[Search], None]],
    ) -> Route:
        """Return the route of a request that changes the session."""

        async def answer(request: Request) -> contract.Session:
            told = tell(await body(request))

            def job(workspace: Workspace) -> contract.Session:
                workspace.change(told)
                return session_json.session_data(workspace)

            return await self._worker.change(job)

        return _post(to, answer)

    # -- reading -----------------------------------------------------------------------------------

    def _variables(self, request: Request) -> Callable[[Workspace], inside_contract.Variables]:
        call, time = named(request), maybe(request, "time")
        return lambda workspace: call_json.variables_data(workspace.recording, call, time)

    def _events(self, request: Request) -> Callable[[Workspace], inside_contract.Events]:
        call, time = named(request), maybe(request, "time")
        some = window(request, time)
        return lambda workspace: call_json.events_data(workspace.recording, call, some)

    def _history(self, request: Request) -> Callable[[Workspace], inside_contract.History]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        some = window(request, maybe(request, "now"))
        wanted = request.query_params.get("filter", "")
        return lambda workspace: history_json.history_data(
            workspace.recording, self._cache, call, place, time, some, wanted
        )

    def _series(self, request: Request) -> Callable[[Workspace], inside_contract.AllSeries]:
        call, time = named(request), maybe(request, "time")
        return lambda workspace: history_json.series_data(workspace.recording, call, time)

    def _marks(self, request: Request) -> Callable[[Workspace], inside_contract.Marks]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        mark = number(request, "mark", call)
        return lambda workspace: call_json.marks_data(workspace.recording, call, place, time, mark)

    def _output(self, request: Request) -> Callable[[Workspace], inside_contract.Output]:
        some = window(request, maybe(request, "now"))
        return lambda workspace: call_json.output_data(workspace.recording, self._cache, some)

    def _origin(self, request: Request) -> Callable[[Workspace], inside_contract.Origin]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        return lambda workspace: call_json.trail_data(workspace.recording, call, place, time)

    def _origin_parts(self, request: Request) -> Callable[[Workspace], inside_contract.OriginParts]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        at = dotted(request, "at")
        return lambda w: call_json.origin_parts_data(w.recording, call, place, time, at)

    def _source(self, request: Request) -> Callable[[Workspace], inside_contract.Source]:
        call, time, since = named(request), maybe(request, "time"), maybe(request, "since")
        return lambda workspace: call_json.source_data(workspace.recording, call, time, since)

    def _rounds(self, request: Request) -> Callable[[Workspace], inside_contract.Rounds]:
        call, time = named(request), maybe(request, "time")
        line, wanted = number(request, "line", 0), number(request, "round", 0)
        return lambda workspace: line_json.rounds_data(
            workspace.recording, call, line, time, wanted
        )

    def _eval(self, request: Request) -> Callable[[Workspace], inside_contract.Evaluated]:
        call, time, asked = named(request), maybe(request, "time"), text(request, "expression")
        return lambda workspace: line_json.evaluated_data(workspace.recording, call, asked, time)

    def _find(self, request: Request) -> Callable[[Workspace], contract.SearchResults]:
        wanted = text(request, "search")
        return lambda workspace: self._run_search.data(workspace, wanted)

    def _compare(self, request: Request) -> Callable[[Workspace], contract.Compared]:
        first, second = named(request), number(request, "other", 0)
        return lambda workspace: call_json.compared_data(workspace, first, second)

    def _runs(self, request: Request) -> Callable[[Workspace], inside_contract.LineRuns]:
        asked = line_json.Runs(
            file=int(request.path_params["file"]),
            line=number(request, "line", 0),
            expression=request.query_params.get("expression", ""),
            below=number(request, "below", 0),
            first=number(request, "first", 0),
            count=number(request, "count", 200),
            every=number(request, "every", 1),
            call=number(request, "call", 0),
            time=maybe(request, "time"),
        )
        return lambda workspace: line_json.runs_data(workspace.recording, asked)

    def _parts(self, request: Request) -> Callable[[Workspace], inside_contract.Parts]:
        oid, time = int(request.path_params["object"]), number(request, "time", 0)
        first, count = number(request, "first", 0), number(request, "count", 50)
        return lambda workspace: call_json.parts_data(workspace.recording, oid, time, first, count)

    def _grid(self, request: Request) -> Callable[[Workspace], inside_contract.Grid]:
        asked = value_json.GridAsked(
            object=int(request.path_params["object"]),
            time=number(request, "time", 0),
            first=number(request, "first", 0),
            count=number(request, "count", 200),
            column=maybe(request, "column"),
            descending=request.query_params.get("order") == "down",
            other=maybe(request, "other"),
        )
        return lambda workspace: value_json.grid_data(workspace.recording, asked)

    def _views(self, request: Request) -> Callable[[Workspace], inside_contract.Views]:
        oid, time = int(request.path_params["object"]), number(request, "time", 0)
        return lambda workspace: value_json.views_data(workspace.recording, oid, time)

    def _graph(self, request: Request) -> Callable[[Workspace], inside_contract.DrawnGraph]:
        oid, time = int(request.path_params["object"]), number(request, "time", 0)
        other = maybe(request, "other")
        return lambda workspace: value_json.graph_data(workspace.recording, oid, time, other)

    def _image(self, request: Request) -> Callable[[Workspace], inside_contract.DrawnImage]:
        oid, time = int(request.path_params["object"]), number(request, "time", 0)
        return lambda workspace: value_json.image_data(workspace.recording, oid, time)

    def _sides(self, request: Request) -> Callable[[Workspace], SideBySide]:
        asked = _sides(request)
        everything = request.query_params.get("all") == "yes"
        return lambda w: value_json.sides_data(w.recording, asked, everything=everything)

    def _text(self, request: Request) -> Callable[[Workspace], inside_contract.TextPart]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        first, search = number(request, "first", 0), request.query_params.get("search", "")
        return lambda w: value_json.text_data(w.recording, call, place, time, first, search)

    def _changed_text(self, request: Request) -> Callable[[Workspace], inside_contract.TextPart]:
        asked = _sides(request)
        first, search = number(request, "first", 0), request.query_params.get("search", "")
        return lambda w: value_json.changed_text_data(w.recording, asked, first, search)

    def _python(self, request: Request) -> Callable[[Workspace], inside_contract.Rebuilt]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        return lambda workspace: value_json.python_data(workspace.recording, call, place, time)

    def _file(self, request: Request) -> Callable[[Workspace], inside_contract.SourceFile]:
        file = int(request.path_params["file"])
        return lambda workspace: call_json.file_data(workspace.recording, file)

    async def _rows(self, request: Request) -> contract.Rows:
        """Answer at once, unless the request searches for a value: that has to read the trace."""
        sent = await body(request)
        wanted, rows = _wanted(sent), _rows(sent)
        if wanted.value:
            return await self._worker.do(lambda w: self._value_search.data(w, wanted, rows))
        return await self._worker.snapshot(lambda s: self._tree_rows.data(s, wanted, rows))

    def _in_small_jobs(
        self,
        to: contract.Post[contract.CallsWanted, A],
        tell: Callable[[Workspace, int], T],
        whole: Callable[[list[T]], A],
    ) -> Route:
        """Return the route of a request about many calls, done in small jobs."""

        async def answer(request: Request) -> A:
            wanted = numbers(await body(request), "calls")[:MAX_TITLES]
            found: list[T] = []
            while len(found) < len(wanted) and not await request.is_disconnected():
                some = wanted[len(found) :][:TITLES_PER_JOB]
                found += await self._worker.do(_all_of(tell, some))
            return whole(found)

        return _post(to, answer)

    async def _report(self, request: Request) -> Response:
        ending = request.query_params.get("format", "md")
        try:
            written = await self._worker.do(
                lambda workspace: session_json.report(workspace, f".{ending}")
            )
        except WrongcallError as error:
            return Json(session_json.failure_data(error), status_of(error))
        headers = {"Content-Disposition": f'attachment; filename="wrongcall-report.{ending}"'}
        return PlainTextResponse(written, media_type=REPORTS[ending], headers=headers)

    async def _versions(self, request: Request) -> Response:
        async def told() -> AsyncIterator[str]:
            known = self._worker.seen
            yield f"data: {known}\n\n"
            while not self._worker.ending():
                version = await self._worker.next_version(known)
                if version != known:
                    yield f"data: {version}\n\n"
                known = version

        return StreamingResponse(told(), media_type="text/event-stream")


def _get(to: contract.Get[A], answer: Callable[[Request], Awaitable[A]]) -> Route:
    return Route(_address(to.path), _answering(answer))


def _post(to: contract.Post[S, A], answer: Callable[[Request], Awaitable[A]]) -> Route:
    return Route(_address(to.path), _answering(answer), methods=["POST"])


def _address(path: str) -> str:
    """Return the address of a path of the contract; what stands in braces there is a number."""
    return "/api/" + path.replace("}", ":number}")


def _answering(answer: Callable[[Request], Awaitable[A]]) -> Handler:
    """Return a handler that answers with JSON, or with the error."""

    async def handle(request: Request) -> Response:
        try:
            return Json(await answer(request))
        except WrongcallError as error:
            return Json(session_json.failure_data(error), status_of(error))

    return handle


def _all_of(tell: Callable[[Workspace, int], T], some: list[int]) -> Callable[[Workspace], list[T]]:
    return lambda workspace: [tell(workspace, call) for call in some]


def _sides(request: Request) -> Sides:
    """Return which two values a request is about."""
    names = ("before", "after", "old", "new", "holder", "owner")
    step = request.query_params.get("step", "")
    return Sides(**{name: number(request, name, 0) for name in names}, step=step)


def _wanted(sent: Body) -> tree_rows.Wanted:
    opened = None if sent.get("open") is None else words(sent, "open")
    status = word(sent, "status")
    return tree_rows.Wanted(
        opened,
        words(sent, "closed"),
        function=word(sent, "function"),
        status=member_of(NodeStatus, status, "status") if status else None,
        value=word(sent, "value"),
        bodies=sent.get("bodies") is not False,
    )


def _rows(sent: Body) -> tree_rows.Window:
    return tree_rows.Window(whole(sent, "first", 0), whole(sent, "count", 100), word(sent, "find"))


def _icicle(request: Request) -> Callable[[TreeSnapshot], contract.Picture]:
    key = request.query_params.get("key", "")
    width = min(max(number(request, "width", 600), 10), MAX_PIXELS)
    first, end = maybe(request, "first"), maybe(request, "end")
    part = (first, end) if first is not None and end is not None else None
    widths: contract.Widths = "time" if request.query_params.get("by") == "time" else "calls"
    search = request.query_params.get("search", "")
    bodies = request.query_params.get("bodies") != "false"
    mark = number(request, "mark", NOBODY)

    def drawn(snapshot: TreeSnapshot) -> contract.Picture:
        focus = snapshot.node(key) if key and part is None else NOBODY
        return icicle.draw(snapshot, icicle.View(width, focus, part, widths, search, bodies, mark))

    return drawn


# -- changing the session ---------------------------------------------------------------------------


def _answer(sent: Body) -> Callable[[Search], None]:
    """Answer the question; if the session asks another one by now, judge the calls of this one."""
    about, verdict, details = _judgement(sent)
    if sent.get("boundary") is not None:
        return _answer_inside(about[0], whole(sent, "boundary", 0), verdict, details)

    def tell(search: Search) -> None:
        session = search.session
        asked = session.step()
        if isinstance(asked, Question) and (asked.calls[0], asked.calls[-1]) == about:
            session.answer(verdict, **details)
        else:
            session.judge(about, verdict, **details)

    return tell


def _answer_inside(
    call: int, boundary: int, verdict: Verdict, details: dict[str, Any]
) -> Callable[[Search], None]:
    """Answer the question about a boundary inside a call."""

    def tell(search: Search) -> None:
        inside = search.inside
        if inside is None or inside.call != call:
            raise UsageError(f"the search is not inside call #{call}")
        asked = inside.step()
        if isinstance(asked, Question) and asked.calls == (boundary,):
            inside.answer(verdict, **details)
        else:
            inside.judge(boundary, verdict, **details)

    return tell


def _judge(sent: Body) -> Callable[[Search], None]:
    about, verdict, details = _judgement(sent)
    return lambda search: search.session.judge(about, verdict, **details)


def _inside(sent: Body) -> Callable[[Search], None]:
    """Search inside a call."""
    first, last = parse_key(word(sent, "key"))
    if first != last:
        raise UsageError("the search can go on inside one call, not inside a group of calls")
    return lambda search: search.go_inside(first)


def _dismiss(oracle: str) -> Callable[[Search], None]:
    """Ask an oracle no more, and take back what it said."""

    def tell(search: Search) -> None:
        if oracle not in search.session.panel.names:
            known = ", ".join(sorted(search.session.panel.names)) or "none"
            raise UsageError(f"no oracle {oracle!r} is asked in this session; those asked: {known}")
        search.session.dismiss(oracle)

    return tell


def _stop_at_call(search: Search) -> None:
    search.leave_inside()


def _judgement(sent: Body) -> tuple[tuple[int, int], Verdict, dict[str, Any]]:
    """Return the calls, the verdict and its details."""
    about = parse_key(word(sent, "key"))
    verdict = member_of(Verdict, word(sent, "verdict"), "verdict")
    details: dict[str, Any] = {"replace": sent.get("replace") is True}
    if word(sent, "expected"):
        details["expected"] = word(sent, "expected")
    if sent.get("part") is not None:
        details["part"] = _part(sent["part"])
    return about, verdict, details


def _part(sent: Any) -> Part:
    if not isinstance(sent, dict):
        raise UsageError(f"a part has a where and a path, not {reprlib.repr(sent)}")
    return Part(member_of(Where, word(sent, "where"), "part"), word(sent, "path"))


def window(request: Request, time: int | None) -> call_json.Window:
    """Return the requested part of a long list."""
    return call_json.Window(number(request, "first", 0), number(request, "count", 200), time)


def status_of(error: WrongcallError) -> int:
    """Return the HTTP status for an error."""
    if isinstance(error, ContradictionError):
        return 409
    return 503 if isinstance(error, TraceError) else 400
