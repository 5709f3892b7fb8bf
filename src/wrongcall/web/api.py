"""The requests of the page: what each asks for, and what it changes (docs/api.md).

A handler takes a request, does a job on the desk in the worker's thread and answers with JSON. What
goes wrong by the asker's fault is an answer with status 400 and a message.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from wrongcall.errors import ContradictionError, TraceError, UsageError, WrongcallError
from wrongcall.session import Part, Question, Session, Where
from wrongcall.tree.tree import NOBODY
from wrongcall.web import calls, icicle, listing, steps
from wrongcall.web.desk import Desk
from wrongcall.web.report import report
from wrongcall.web.worker import Worker

MOST_PIXELS = 4000
MOST_TITLES = 200
FEW_TITLES = 4
_LONGEST = 4 << 20
"""Bytes of the largest request."""

Body = dict[str, Any]


class Api:
    """The handlers of all requests."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._listing = listing.Listing()
        self._timelines = calls.Timelines()

    def routes(self) -> list[Route]:
        """Return the requests that there are."""
        looking: dict[str, Callable[[Request], Callable[[Desk], Any]]] = {
            "/session": lambda r: steps.session_data,
            "/path": lambda r: lambda d: listing.path_data(d, text(r, "key")),
            "/icicle": self._icicle,
            "/calls/{call:int}": lambda r: lambda d: calls.call_data(d, named(r)),
            "/calls/{call:int}/variables": self._variables,
            "/calls/{call:int}/events": self._events,
            "/calls/{call:int}/history": self._history,
            "/calls/{call:int}/origin": self._origin,
            "/calls/{call:int}/source": self._source,
            "/objects/{object:int}": self._parts,
            "/files/{file:int}": lambda r: (
                lambda d: calls.file_data(d.trace, int(r.path_params["file"]))
            ),
        }
        telling: dict[str, Callable[[Body], Callable[[Session], None]]] = {
            "/session/answer": _answer,
            "/session/judge": _judge,
            "/session/undo": lambda b: Session.undo,
            "/session/confirm": lambda b: Session.confirm,
            "/session/reject": lambda b: Session.reject,
            "/session/go-on": lambda b: Session.go_on,
            "/session/strategy": lambda b: lambda s: s.use(word(b, "name")),
        }
        return [
            *(Route(f"/api{path}", self._look(ask)) for path, ask in looking.items()),
            *(
                Route(f"/api{path}", self._tell(tell), methods=["POST"])
                for path, tell in telling.items()
            ),
            Route("/api/rows", self._post(self._rows), methods=["POST"]),
            Route("/api/titles", self._titles, methods=["POST"]),
            Route("/api/report", self._report),
            Route("/api/changes", self._changes),
        ]

    # -- how a request is handled ------------------------------------------------------------------

    async def _done(self, job: Callable[[Desk], Any]) -> Response:
        try:
            return JSONResponse(await self._worker.do(job))
        except WrongcallError as error:
            return JSONResponse(steps.wrong_request(error), status_of(error))

    def _look(self, ask: Callable[[Request], Callable[[Desk], Any]]) -> Any:
        async def handle(request: Request) -> Response:
            try:
                job = ask(request)
            except WrongcallError as error:
                return JSONResponse(steps.wrong_request(error), status_of(error))
            return await self._done(job)

        return handle

    def _post(self, ask: Callable[[Body], Callable[[Desk], Any]]) -> Any:
        async def handle(request: Request) -> Response:
            try:
                job = ask(await body(request))
            except WrongcallError as error:
                return JSONResponse(steps.wrong_request(error), status_of(error))
            return await self._done(job)

        return handle

    def _tell(self, tell: Callable[[Body], Callable[[Session], None]]) -> Any:
        def ask(sent: Body) -> Callable[[Desk], Any]:
            told = tell(sent)

            def job(desk: Desk) -> Any:
                desk.change(told)
                return steps.session_data(desk)

            return job

        return self._post(ask)

    # -- looking -----------------------------------------------------------------------------------

    def _icicle(self, request: Request) -> Callable[[Desk], Any]:
        key = request.query_params.get("key", "")
        width = min(max(number(request, "width", 600), 10), MOST_PIXELS)

        def job(desk: Desk) -> Any:
            focus = steps.key_node(desk, key) if key else NOBODY
            return {"version": desk.version, **icicle.picture(desk, focus, width)}

        return job

    def _variables(self, request: Request) -> Callable[[Desk], Any]:
        call, time = named(request), maybe(request, "time")
        return lambda desk: calls.variables_data(desk.trace, call, time)

    def _events(self, request: Request) -> Callable[[Desk], Any]:
        call, time = named(request), maybe(request, "time")
        first, count = number(request, "first", 0), number(request, "count", 200)
        return lambda desk: calls.events_data(desk, self._timelines, call, first, count, time)

    def _history(self, request: Request) -> Callable[[Desk], Any]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        mark = number(request, "mark", call)
        return lambda desk: calls.history_data(desk.trace, self._timelines, call, place, time, mark)

    def _origin(self, request: Request) -> Callable[[Desk], Any]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        return lambda desk: calls.trail_data(desk.trace, call, place, time)

    def _source(self, request: Request) -> Callable[[Desk], Any]:
        call, time = named(request), maybe(request, "time")
        return lambda desk: calls.source_data(desk.trace, self._timelines, call, time)

    def _parts(self, request: Request) -> Callable[[Desk], Any]:
        oid, time = int(request.path_params["object"]), number(request, "time", 0)
        first, count = number(request, "first", 0), number(request, "count", 50)
        return lambda desk: calls.parts_data(desk.trace, oid, time, first, count)

    def _rows(self, sent: Body) -> Callable[[Desk], Any]:
        opened = sent.get("open")
        wanted = listing.Wanted(
            None if opened is None else words(sent, "open"),
            words(sent, "closed"),
            word(sent, "function"),
            word(sent, "shade"),
            word(sent, "value"),
        )
        first, count = whole(sent, "first", 0), whole(sent, "count", 100)
        find = word(sent, "find")
        return lambda desk: self._listing.data(desk, wanted, first, count, find)

    async def _titles(self, request: Request) -> Response:
        """Answer in small jobs, so that what is more urgent comes in between."""
        try:
            wanted = numbers(await body(request), "calls")[:MOST_TITLES]
            found: list[Any] = []
            while len(found) < len(wanted) and not await request.is_disconnected():
                found += await self._worker.do(_lines(wanted[len(found) :][:FEW_TITLES]))
        except WrongcallError as error:
            return JSONResponse(steps.wrong_request(error), status_of(error))
        return JSONResponse({"titles": found})

    async def _report(self, request: Request) -> Response:
        try:
            written = await self._worker.do(report)
        except WrongcallError as error:
            return JSONResponse(steps.wrong_request(error), status_of(error))
        headers = {"Content-Disposition": 'attachment; filename="wrongcall-report.md"'}
        return PlainTextResponse(written, media_type="text/markdown", headers=headers)

    async def _changes(self, request: Request) -> Response:
        async def told() -> AsyncIterator[str]:
            known = self._worker.seen
            yield f"data: {known}\n\n"
            while True:
                known = await self._worker.next_version(known)
                yield f"data: {known}\n\n"

        return StreamingResponse(told(), media_type="text/event-stream")


# -- telling ---------------------------------------------------------------------------------------


def _answer(sent: Body) -> Callable[[Session], None]:
    """Answer a question; if the session asks another one by now, judge what was asked."""
    about, told = steps.parse_key(word(sent, "key")), _told(sent)

    def tell(session: Session) -> None:
        asked = session.step()
        if isinstance(asked, Question) and (asked.calls[0], asked.calls[-1]) == about:
            session.answer(word(sent, "verdict"), **told)
        else:
            session.judge(about, word(sent, "verdict"), **told)

    return tell


def _judge(sent: Body) -> Callable[[Session], None]:
    about, told = steps.parse_key(word(sent, "key")), _told(sent)
    return lambda session: session.judge(about, word(sent, "verdict"), **told)


def _told(sent: Body) -> dict[str, Any]:
    told: dict[str, Any] = {"replace": sent.get("replace") is True}
    if word(sent, "expected"):
        told["expected"] = word(sent, "expected")
    if sent.get("part") is not None:
        part = sent["part"]
        if not isinstance(part, dict) or part.get("where") not in [w.value for w in Where]:
            raise UsageError(f"{part!r} is no part: it has a where and a path")
        told["part"] = Part(Where(part["where"]), word(part, "path"))
    return told


def _lines(wanted: list[int]) -> Callable[[Desk], list[Any]]:
    return lambda desk: [calls.line_data(desk.trace, call) for call in wanted]


# -- what a request says ---------------------------------------------------------------------------


async def body(request: Request) -> Body:
    """Return the JSON object that was sent."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise UsageError("send application/json")
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _LONGEST:
            raise UsageError(f"a request has at most {_LONGEST:,} bytes")
    try:
        sent = json.loads(content or b"{}")
    except ValueError as exc:
        raise UsageError(f"that is no JSON: {exc}") from exc
    if not isinstance(sent, dict):
        raise UsageError("send a JSON object")
    return sent


def named(request: Request) -> int:
    """Return the call that the path names."""
    return int(request.path_params["call"])


def text(request: Request, name: str) -> str:
    """Return a text that must be there."""
    found = request.query_params.get(name)
    if not found:
        raise UsageError(f"{name} is missing")
    return found


def maybe(request: Request, name: str) -> int | None:
    """Return a number that need not be there."""
    found = request.query_params.get(name)
    if found is None:
        return None
    if not found.isdecimal() or not found.isascii():
        raise UsageError(f"{name} is a number, not {found!r}")
    return int(found)


def number(request: Request, name: str, default: int) -> int:
    """Return a number."""
    found = maybe(request, name)
    return default if found is None else found


def word(sent: Body, name: str) -> str:
    """Return a text of what was sent, empty if it is not there."""
    found = sent.get(name, "")
    if not isinstance(found, str):
        raise UsageError(f"{name} is a text, not {found!r}")
    return found


def words(sent: Body, name: str) -> tuple[str, ...]:
    """Return texts of what was sent."""
    found = sent.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UsageError(f"{name} is a list of texts")
    return tuple(found)


def numbers(sent: Body, name: str) -> list[int]:
    """Return numbers of what was sent."""
    found = sent.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, int) for each in found):
        raise UsageError(f"{name} is a list of numbers")
    return found


def whole(sent: Body, name: str, default: int) -> int:
    """Return a number of what was sent, from 0 up."""
    found = sent.get(name, default)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise UsageError(f"{name} is a number from 0 up, not {found!r}")
    return found


def status_of(error: WrongcallError) -> int:
    """Return the status of an answer that tells of an error."""
    if isinstance(error, ContradictionError):
        return 409
    return 503 if isinstance(error, TraceError) else 400
