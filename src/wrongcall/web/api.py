"""The requests of the page: what each asks for, and what it changes (docs/reference/api.md).

A handler takes a request, has the worker do a job (on the desk, or on a glance at the tree, which waits for
nothing) and answers with JSON. What goes wrong by the asker's fault is an answer with status 400 and a
message.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from wrongcall.errors import ContradictionError, TraceError, UsageError, WrongcallError
from wrongcall.session import Part, Question, Session, Where
from wrongcall.tree.tree import NOBODY
from wrongcall.web import calls, icicle, listing, steps
from wrongcall.web.desk import Desk
from wrongcall.web.glance import MOST_DIGITS, Glance, parse_key
from wrongcall.web.seeking import Seeking
from wrongcall.web.worker import Worker

MOST_PIXELS = 4000
MOST_TITLES = 200
FEW_TITLES = 4
REPORTS = {"md": "text/markdown", "html": "text/html", "json": "application/json"}
"""The formats of a report, and what they are called in the answer."""
_LONGEST = 4 << 20
"""Bytes of the largest request."""

_TOO_LARGE = 10**MOST_DIGITS

Body = dict[str, Any]
Handler = Callable[[Request], Awaitable[Response]]


class _Number(Convertor[int]):
    """A number in a path; one with too many digits names nothing."""

    regex = f"[0-9]{{1,{MOST_DIGITS}}}"

    def convert(self, value: str) -> int:
        """Return the number that a path has."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return a number as paths have it."""
        return str(value)


register_url_convertor("number", _Number())


class Json(JSONResponse):
    """JSON of anything: half a character (a lone surrogate), which UTF-8 lacks, becomes its escape."""

    def render(self, content: Any) -> bytes:
        """Return the bytes to send."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")  # writes it as JSON does


class Api:
    """The handlers of all requests."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._listing = listing.Listing()
        self._seeking = Seeking()
        self._kept = calls.Kept()

    def routes(self) -> list[Route]:
        """Return the requests that there are."""
        looking: dict[str, Callable[[Request], Callable[[Desk], Any]]] = {
            "/session": lambda r: steps.session_data,
            "/calls/{call:number}": lambda r: lambda d: calls.call_data(d, named(r)),
            "/calls/{call:number}/variables": self._variables,
            "/calls/{call:number}/events": self._events,
            "/calls/{call:number}/history": self._history,
            "/calls/{call:number}/marks": self._marks,
            "/calls/{call:number}/origin": self._origin,
            "/calls/{call:number}/source": self._source,
            "/output": self._output,
            "/objects/{object:number}": self._parts,
            "/files/{file:number}": lambda r: (
                lambda d: calls.file_data(d.trace, int(r.path_params["file"]))
            ),
        }
        glancing: dict[str, Callable[[Request], Callable[[Glance], Any]]] = {
            "/path": lambda r: lambda g: listing.path_data(g, text(r, "key")),
            "/icicle": _icicle,
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
            *(Route(f"/api{path}", self._glance(ask)) for path, ask in glancing.items()),
            *(
                Route(f"/api{path}", self._tell(tell), methods=["POST"])
                for path, tell in telling.items()
            ),
            Route("/api/rows", self._rows, methods=["POST"]),
            *(
                Route(f"/api/{name}", self._bit_by_bit(name, tell), methods=["POST"])
                for name, tell in (("titles", calls.title_data), ("members", steps.member_data))
            ),
            Route("/api/report", self._report),
            Route("/api/changes", self._changes),
        ]

    # -- how a request is handled ------------------------------------------------------------------

    def _look(self, ask: Callable[[Request], Callable[[Desk], Any]]) -> Handler:
        """Return the handler of a request that reads the trace."""

        @_answering
        async def handle(request: Request) -> Any:
            return await self._worker.do(ask(request))

        return handle

    def _glance(self, ask: Callable[[Request], Callable[[Glance], Any]]) -> Handler:
        """Return the handler of a request for what is known of the tree."""

        @_answering
        async def handle(request: Request) -> Any:
            return await self._worker.glance(ask(request))

        return handle

    def _tell(self, tell: Callable[[Body], Callable[[Session], None]]) -> Handler:
        """Return the handler of a request that changes the session."""

        @_answering
        async def handle(request: Request) -> Any:
            told = tell(await body(request))

            def job(desk: Desk) -> Any:
                desk.change(told)
                return steps.session_data(desk)

            return await self._worker.do(job)

        return handle

    # -- looking -----------------------------------------------------------------------------------

    def _variables(self, request: Request) -> Callable[[Desk], Any]:
        call, time = named(request), maybe(request, "time")
        return lambda desk: calls.variables_data(desk.trace, call, time)

    def _events(self, request: Request) -> Callable[[Desk], Any]:
        call, time = named(request), maybe(request, "time")
        some = part(request, time)
        return lambda desk: calls.events_data(desk.trace, call, some)

    def _history(self, request: Request) -> Callable[[Desk], Any]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        some = part(request, maybe(request, "now"))
        return lambda desk: calls.history_data(desk.trace, self._kept, call, place, time, some)

    def _marks(self, request: Request) -> Callable[[Desk], Any]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        mark = number(request, "mark", call)
        return lambda desk: calls.marks_data(desk.trace, call, place, time, mark)

    def _output(self, request: Request) -> Callable[[Desk], Any]:
        some = part(request, maybe(request, "now"))
        return lambda desk: calls.output_data(desk.trace, self._kept, some)

    def _origin(self, request: Request) -> Callable[[Desk], Any]:
        call, place, time = named(request), text(request, "place"), maybe(request, "time")
        return lambda desk: calls.trail_data(desk.trace, call, place, time)

    def _source(self, request: Request) -> Callable[[Desk], Any]:
        call, time = named(request), maybe(request, "time")
        return lambda desk: calls.source_data(desk.trace, call, time)

    def _parts(self, request: Request) -> Callable[[Desk], Any]:
        oid, time = int(request.path_params["object"]), number(request, "time", 0)
        first, count = number(request, "first", 0), number(request, "count", 50)
        return lambda desk: calls.parts_data(desk.trace, oid, time, first, count)

    async def _rows(self, request: Request) -> Response:
        """Answer at once, unless values are searched for: those must be read."""
        return await _answering(self._find_rows)(request)

    async def _find_rows(self, request: Request) -> Any:
        sent = await body(request)
        opened = None if sent.get("open") is None else words(sent, "open")
        named = (word(sent, name) for name in ("function", "shade", "value"))
        wanted = listing.Wanted(opened, words(sent, "closed"), *named)
        window = listing.Window(
            whole(sent, "first", 0), whole(sent, "count", 100), word(sent, "find")
        )
        if wanted.value:
            return await self._worker.do(lambda desk: self._seeking.data(desk, wanted, window))
        return await self._worker.glance(lambda g: self._listing.data(g, wanted, window))

    def _bit_by_bit(self, name: str, tell: Callable[[Desk, int], Any]) -> Handler:
        """Return the handler of a request about many calls: what is more urgent comes in between."""

        @_answering
        async def handle(request: Request) -> Any:
            wanted = numbers(await body(request), "calls")[:MOST_TITLES]
            found: list[Any] = []
            while len(found) < len(wanted) and not await request.is_disconnected():
                some = wanted[len(found) :][:FEW_TITLES]
                found += await self._worker.do(_all_of(tell, some))
            return {name: found}

        return handle

    async def _report(self, request: Request) -> Response:
        ending = request.query_params.get("format", "md")
        try:
            written = await self._worker.do(lambda desk: steps.report(desk, f".{ending}"))
        except WrongcallError as error:
            return Json(steps.wrong_request(error), status_of(error))
        headers = {"Content-Disposition": f'attachment; filename="wrongcall-report.{ending}"'}
        return PlainTextResponse(written, media_type=REPORTS[ending], headers=headers)

    async def _changes(self, request: Request) -> Response:
        async def told() -> AsyncIterator[str]:
            known = self._worker.seen
            yield f"data: {known}\n\n"
            while not self._worker.ending():
                version = await self._worker.next_version(known)
                if version != known:
                    yield f"data: {version}\n\n"
                known = version

        return StreamingResponse(told(), media_type="text/event-stream")


def _answering(ask: Callable[[Request], Awaitable[Any]]) -> Handler:
    """Return a handler that answers with JSON; with an error where that is to be told."""

    async def handle(request: Request) -> Response:
        try:
            return Json(await ask(request))
        except WrongcallError as error:
            return Json(steps.wrong_request(error), status_of(error))

    return handle


def _all_of(tell: Callable[[Desk, int], Any], some: list[int]) -> Callable[[Desk], list[Any]]:
    return lambda desk: [tell(desk, call) for call in some]


def _icicle(request: Request) -> Callable[[Glance], Any]:
    key = request.query_params.get("key", "")
    width = min(max(number(request, "width", 600), 10), MOST_PIXELS)
    return lambda glance: icicle.picture(glance, glance.node(key) if key else NOBODY, width)


# -- telling ---------------------------------------------------------------------------------------


def _answer(sent: Body) -> Callable[[Session], None]:
    """Answer a question; if the session asks another one by now, judge what was asked."""
    about, told = parse_key(word(sent, "key")), _told(sent)

    def tell(session: Session) -> None:
        asked = session.step()
        if isinstance(asked, Question) and (asked.calls[0], asked.calls[-1]) == about:
            session.answer(word(sent, "verdict"), **told)
        else:
            session.judge(about, word(sent, "verdict"), **told)

    return tell


def _judge(sent: Body) -> Callable[[Session], None]:
    about, told = parse_key(word(sent, "key")), _told(sent)
    return lambda session: session.judge(about, word(sent, "verdict"), **told)


def _told(sent: Body) -> dict[str, Any]:
    told: dict[str, Any] = {"replace": sent.get("replace") is True}
    if word(sent, "expected"):
        told["expected"] = word(sent, "expected")
    if sent.get("part") is not None:
        part = sent["part"]
        if not isinstance(part, dict) or part.get("where") not in [w.value for w in Where]:
            raise UsageError(f"{reprlib.repr(part)} is no part: it has a where and a path")
        told["part"] = Part(Where(part["where"]), word(part, "path"))
    return told


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
    except RecursionError as exc:
        raise UsageError("that JSON is nested too deeply") from exc
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
    if not found.isdecimal() or not found.isascii() or len(found) > MOST_DIGITS:
        raise UsageError(
            f"{name} is a number of at most {MOST_DIGITS} digits, not {reprlib.repr(found)}"
        )
    return int(found)


def number(request: Request, name: str, default: int) -> int:
    """Return a number."""
    found = maybe(request, name)
    return default if found is None else found


def part(request: Request, time: int | None) -> calls.Some:
    """Return which part of a long list is asked for."""
    return calls.Some(number(request, "first", 0), number(request, "count", 200), time)


def word(sent: Body, name: str) -> str:
    """Return a text of what was sent, empty if it is not there."""
    found = sent.get(name, "")
    if not isinstance(found, str):
        raise UsageError(f"{name} is a text, not {reprlib.repr(found)}")
    return _whole_characters(found, name)


def words(sent: Body, name: str) -> tuple[str, ...]:
    """Return texts of what was sent."""
    found = sent.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UsageError(f"{name} is a list of texts")
    return tuple(_whole_characters(each, name) for each in found)


def _whole_characters(found: str, name: str) -> str:
    """Refuse lone surrogates: JSON can have them, but nothing that is saved or sent should."""
    try:
        found.encode()
    except UnicodeEncodeError as exc:
        raise UsageError(f"{name} has half a character: {reprlib.repr(found)}") from exc
    return found


def numbers(sent: Body, name: str) -> list[int]:
    """Return numbers of what was sent."""
    found = sent.get(name) or []
    if not isinstance(found, list) or not all(map(_is_number, found)):
        raise UsageError(f"{name} is a list of numbers from 0 up")
    return found


def whole(sent: Body, name: str, default: int) -> int:
    """Return a number of what was sent, from 0 up."""
    found = sent.get(name, default)
    if not _is_number(found):
        raise UsageError(f"{name} is a number from 0 up, not {reprlib.repr(found)}")
    return int(found)


def _is_number(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and 0 <= found < _TOO_LARGE


def status_of(error: WrongcallError) -> int:
    """Return the status of an answer that tells of an error."""
    if isinstance(error, ContradictionError):
        return 409
    return 503 if isinstance(error, TraceError) else 400
