"""The debug adapter: one method for each request, called one after the other.

A request is answered with a response, and often with events. An error that the user should read becomes a response
that failed; the adapter goes on. While a program is recorded, and in long searches, `cancel` and the end of the
connection are noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from wrongcall.dap.arguments import Arguments
from wrongcall.dap.breakpoints import EXCEPTION_FILTERS, Breakpoints, statement_lines
from wrongcall.dap.debuggee import BEFORE, Debuggee, Plan
from wrongcall.dap.framing import Message
from wrongcall.dap.inspection import Inspection
from wrongcall.dap.launching import Recorder, launch_of
from wrongcall.dap.motion import Motion, Moved
from wrongcall.dap.questions import Questions
from wrongcall.errors import UsageError, WrongcallError
from wrongcall.recording import Stop

MAX_TARGETS = 50
"""Executions of a line that a client can go to, around the current time."""
_POLL_S = 0.1
_MOVES = ("next", "stepIn", "stepOut", "stepBack", "wrongcall/stepInBack", "wrongcall/stepOutBack")

CAPABILITIES: dict[str, Any] = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsRestartFrame": True,
    "supportsGotoTargetsRequest": True,
    "supportsExceptionInfoRequest": True,
    "supportsExceptionFilterOptions": True,
    "supportsDelayedStackTraceLoading": True,
    "supportsLoadedSourcesRequest": True,
    "supportsLogPoints": True,
    "supportsTerminateRequest": True,
    "supportTerminateDebuggee": True,
    "supportsDataBreakpoints": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsCancelRequest": True,
    "supportsClipboardContext": True,
    "supportsSetVariable": False,
    "supportsSetExpression": False,
    "supportsReadMemoryRequest": False,
    "exceptionBreakpointFilters": list(EXCEPTION_FILTERS),
}


class CancelledError(WrongcallError):
    """The client does not want the answer any more."""


class Client(Protocol):
    """Who the adapter talks to."""

    def send(self, message: Message) -> None:
        """Send a message."""

    def has_cancelled(self, request: int) -> bool:
        """Return whether the client has cancelled a request, or has gone."""

    @property
    def wants_end(self) -> bool:
        """Whether the client has asked to end the recording or the session, and waits for that."""


@dataclass
class _Reply:
    """What follows a request: events before and after its response."""

    body: Any = None
    after: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


class _Opened(NamedTuple):
    """A run, and what works on it."""

    debuggee: Debuggee
    motion: Motion
    inspection: Inspection
    questions: Questions


class Adapter:
    """Debugs one recorded run for one client."""

    def __init__(self, client: Client, plan: Plan, record: Sequence[str]) -> None:
        """``plan`` says how to search; ``record`` is the command that records a program."""
        self._client = client
        self._plan = plan
        self._record = record
        self._recorder: Recorder | None = None
        self._opened: _Opened | None = None
        self._launched = False
        self._request = 0
        self._targets: list[Stop] = []
        self._stop_on_entry = self._no_debug = False
        self._shows_progress = False
        self.breakpoints = Breakpoints(self._check_long)
        self.is_over = False
        """The client has finished."""

    # -- requests and answers ----------------------------------------------------------------------

    def handle(self, message: Message) -> None:
        """Answer a request."""
        command, number = message.get("command"), message.get("seq")
        if (
            message.get("type") != "request"
            or not isinstance(command, str)
            or type(number) is not int
        ):
            self.refuse("this is not a request: it needs a type, a seq and a command")
            return
        self._request = number
        try:
            self._check()
            handler = self._handler(command)
            reply = handler(Arguments(message.get("arguments"), command))
        except CancelledError:
            self._respond(number, command, success=False, message="cancelled")
        except (WrongcallError, OSError) as error:
            self._fail(number, command, error)
        else:
            body = reply.body if isinstance(reply, _Reply) else reply
            self._respond(number, command, success=True, body=body)
            for name, told in reply.after if isinstance(reply, _Reply) else ():
                self.event(name, told)

    def _handler(self, command: str) -> Callable[[Arguments], Any]:
        if command in _MOVES:
            return lambda arguments: self._step(command, arguments)
        name = command.replace("wrongcall/", "wrongcall_")
        found = getattr(self, f"on_{name}", None)
        if found is None or not name.replace("_", "").isalpha():
            raise UsageError(f"there is no request {command!r}")
        handler: Callable[[Arguments], Any] = found
        return handler

    def refuse(self, problem: str) -> None:
        """Answer something that is not a request."""
        error = {"id": 1, "format": problem, "showUser": True}
        told = {"success": False, "message": problem, "body": {"error": error}}
        self._client.send({"type": "response", "request_seq": 0, "command": "", **told})

    def _fail(self, number: int, command: str, error: Exception) -> None:
        shown = {
            "id": 1,
            "format": str(error).replace("{", "(").replace("}", ")"),
            "showUser": True,
        }
        more = {"message": str(error), "body": {"error": shown}}
        self._respond(number, command, success=False, **more)

    def _respond(self, number: int, command: str, **told: Any) -> None:
        told = {name: value for name, value in told.items() if value is not None}
        self._client.send({"type": "response", "request_seq": number, "command": command, **told})

    def event(self, name: str, body: dict[str, Any] | None = None) -> None:
        """Send an event."""
        self._client.send({"type": "event", "event": name, **({"body": body} if body else {})})

    def _check(self) -> None:
        if self._client.has_cancelled(self._request):
            raise CancelledError("cancelled")

    def _check_long(self) -> None:
        """Check in what takes long whether it is still wanted."""
        self._check()
        if self._client.wants_end:
            raise CancelledError("cancelled")

    @property
    def _run(self) -> _Opened:
        if self._opened is None:
            raise UsageError("no run is opened: send launch or attach first")
        return self._opened

    @property
    def _debuggee(self) -> Debuggee:
        return self._run.debuggee

    @property
    def _motion(self) -> Motion:
        return self._run.motion

    @property
    def _inspection(self) -> Inspection:
        return self._run.inspection

    # -- the beginning -----------------------------------------------------------------------------

    def on_initialize(self, arguments: Arguments) -> dict[str, Any]:
        """Tell what the adapter can do."""
        if arguments.flag("linesStartAt1", True) is False:
            raise UsageError("initialize: lines have to start at 1")
        self._shows_progress = arguments.flag("supportsProgressReporting")
        return CAPABILITIES

    def on_launch(self, arguments: Arguments) -> _Reply:
        """Record a program, and open the recording."""
        launch = launch_of(arguments)
        self._no_debug = arguments.flag("noDebug")
        self._launched = True
        self._recorder = Recorder(launch, self._record)
        try:
            self._wait(self._recorder)
        except BaseException:
            self._recorder.end()
            raise
        if not launch.trace.exists():
            said = self._recorder.said()
            raise UsageError(f"the program was not recorded: {said or 'it did not begin'}")
        return self._open(launch.trace, arguments)

    def _wait(self, recorder: Recorder) -> None:
        """Wait until the program has ended; the client may cancel that, which ends the program."""
        progress = f"record{recorder.pid}"
        if self._shows_progress:
            words = {"title": "Recording the program", "cancellable": True}
            told = {"progressId": progress, "requestId": self._request, **words}
            self.event("progressStart", told)
        try:
            while not recorder.wait(_POLL_S):
                self._check_long()
        finally:
            if self._shows_progress:
                self.event("progressEnd", {"progressId": progress})

    def on_attach(self, arguments: Arguments) -> _Reply:
        """Open a recording, also one that is still being written."""
        path = Path(arguments.text("trace"))
        if not path.exists():
            raise UsageError(f"attach: there is no trace {str(path)!r}")
        return self._open(path, arguments)

    def _open(self, path: Path, arguments: Arguments) -> _Reply:
        if self._opened is not None:
            raise UsageError("a run is opened already: start another session for another one")
        self._stop_on_entry = arguments.flag("stopOnEntry")
        opened = Debuggee(path, self._plan)
        motion = Motion(opened, self.breakpoints)
        self._opened = _Opened(opened, motion, Inspection(opened), Questions(opened))
        program = [str(word) for word in opened.recording.meta.get("program", [])]
        name = program[0] if program else str(path)
        process = {"name": name, "isLocalProcess": True, "startMethod": "attach"}
        if self._launched:
            process["startMethod"] = "launch"
        return _Reply(None, [("process", process), ("initialized", {})])

    def on_configurationDone(self, arguments: Arguments) -> _Reply:
        """Go to the first stop: the first line, a breakpoint, or the end."""
        begin = self._debuggee.stop or BEFORE
        if self._no_debug:
            moved = self._motion.end()
            outputs = [("output", body) for body in self._motion.outputs(begin, moved.stop)]
            return _Reply(None, [*outputs, *self._ended()])
        if self._stop_on_entry:
            return self._moved(begin, self._motion.beginning())
        return self._moved(begin, self._motion.run(begin, back=False))

    # -- breakpoints -------------------------------------------------------------------------------

    def on_setBreakpoints(self, arguments: Arguments) -> dict[str, Any]:
        """Set the breakpoints of a file."""
        return {"breakpoints": self.breakpoints.set_lines(self._debuggee, arguments)}

    def on_setFunctionBreakpoints(self, arguments: Arguments) -> dict[str, Any]:
        """Set breakpoints at functions."""
        return {"breakpoints": self.breakpoints.set_functions(self._debuggee, arguments)}

    def on_setExceptionBreakpoints(self, arguments: Arguments) -> dict[str, Any]:
        """Set breakpoints at exceptions."""
        return {"breakpoints": self.breakpoints.set_exceptions(self._debuggee, arguments)}

    def on_setDataBreakpoints(self, arguments: Arguments) -> dict[str, Any]:
        """Set breakpoints at writes to places."""
        return {"breakpoints": self.breakpoints.set_data(self._debuggee, arguments)}

    def on_dataBreakpointInfo(self, arguments: Arguments) -> dict[str, Any]:
        """Tell whether a data breakpoint can be set at a variable."""
        return self._inspection.data_info(arguments)

    def on_breakpointLocations(self, arguments: Arguments) -> dict[str, Any]:
        """Tell at which lines breakpoints can be."""
        file = self._debuggee.file(arguments.inner("source").text("path", ""))
        first = arguments.number("line")
        last = arguments.number("endLine", first)
        lines = [] if file is None else statement_lines(self._debuggee, file)
        return {"breakpoints": [{"line": line} for line in lines if first <= line <= last]}

    # -- moves -------------------------------------------------------------------------------------

    def _step(self, command: str, arguments: Arguments) -> _Reply:
        stop = self._debuggee.here
        thread = arguments.number("threadId", 0)
        if thread and thread != self._inspection.thread():
            found = self._inspection.stop_of(thread)
            if found is None:
                raise UsageError(f"thread {thread} is not running at this time")
            stop = found
        return self._moved(self._debuggee.here, self._motion.step(command, stop))

    def on_continue(self, arguments: Arguments) -> _Reply:
        """Go on to the next breakpoint, or to the end."""
        here = self._debuggee.here
        return self._moved(here, self._motion.run(here, back=False), {"allThreadsContinued": True})

    def on_reverseContinue(self, arguments: Arguments) -> _Reply:
        """Go back to the previous breakpoint, or to the beginning."""
        here = self._debuggee.here
        return self._moved(here, self._motion.run(here, back=True))

    def on_restartFrame(self, arguments: Arguments) -> _Reply:
        """Go back to the first line of a call."""
        frame = self._inspection.frame(arguments)
        lines = self._debuggee.recording.walk.lines(frame.call)
        if not len(lines):
            raise UsageError("no line of this call was recorded")
        return self._moved(self._debuggee.here, Moved(lines.stop(0), "restart"))

    def on_gotoTargets(self, arguments: Arguments) -> dict[str, Any]:
        """Return executions of a line, those around the current time."""
        source, line = arguments.inner("source"), arguments.number("line")
        file = self._debuggee.file(source.text("path", ""))
        if file is None:
            raise UsageError("no code of this file was recorded")
        pauses = self._debuggee.recording.pauses.at_line(f"{file.path}:{line}")
        here = self._debuggee.here
        after: list[Stop] = []
        before: list[Stop] = []
        stop = pauses.next(here)
        while stop is not None and len(after) < MAX_TARGETS:
            after.append(stop)
            stop = pauses.next(stop)
        stop = pauses.previous(here)
        while stop is not None and len(before) < MAX_TARGETS:
            before.append(stop)
            stop = pauses.previous(stop)
        named = [(f"next {n}", each) for n, each in enumerate(after, 1)]
        named += [(f"previous {n}", each) for n, each in enumerate(before, 1)]
        first = len(self._targets) + 1
        self._targets += [each for _, each in named]
        return {
            "targets": [
                {"id": first + n, "label": f"{word} (time {each.state:,})", "line": each.line}
                for n, (word, each) in enumerate(named)
            ]
        }

    def on_goto(self, arguments: Arguments) -> _Reply:
        """Go to an execution of a line."""
        number = arguments.number("targetId")
        if not 0 < number <= len(self._targets):
            raise UsageError(f"there is no target {number}")
        return self._moved(self._debuggee.here, Moved(self._targets[number - 1], "goto"))

    def on_pause(self, arguments: Arguments) -> _Reply:
        """Stay: a recorded run always pauses."""
        return self._moved(self._debuggee.here, Moved(self._debuggee.here, "pause"))

    def _moved(self, before: Stop, moved: Moved, body: Any = None) -> _Reply:
        """Move the walk, and tell the client."""
        if moved.stop == BEFORE:
            raise UsageError("no line of this run was recorded")
        outputs = []
        if moved.stop.order > before.order:
            outputs = [("output", each) for each in self._motion.outputs(before, moved.stop)]
        self._debuggee.stop = moved.stop
        self._inspection.moved()
        self._targets.clear()
        told: dict[str, Any] = {
            "reason": moved.reason,
            "threadId": self._inspection.thread(),
            "allThreadsStopped": True,
        }
        if moved.description:
            told["description"] = moved.description
        if moved.hits:
            told["hitBreakpointIds"] = list(moved.hits)
        if moved.reason == "exception":
            told["text"] = self._inspection.exception()["description"]
        return _Reply(body, [*outputs, ("stopped", told)])

    # -- inspection --------------------------------------------------------------------------------

    def on_threads(self, arguments: Arguments) -> dict[str, Any]:
        """Return the threads."""
        return {"threads": self._inspection.threads()}

    def on_stackTrace(self, arguments: Arguments) -> dict[str, Any]:
        """Return the stack of a thread."""
        return self._inspection.stack(arguments)

    def on_scopes(self, arguments: Arguments) -> dict[str, Any]:
        """Return the scopes of a frame."""
        return {"scopes": self._inspection.scopes(arguments)}

    def on_variables(self, arguments: Arguments) -> dict[str, Any]:
        """Return variables."""
        return {"variables": self._inspection.variables(arguments)}

    def on_evaluate(self, arguments: Arguments) -> dict[str, Any]:
        """Return what an expression was."""
        return self._inspection.evaluate(arguments)

    def on_exceptionInfo(self, arguments: Arguments) -> dict[str, Any]:
        """Return the exception at the stop."""
        return self._inspection.exception()

    def on_loadedSources(self, arguments: Arguments) -> dict[str, Any]:
        """Return all recorded files."""
        files = self._debuggee.recording.program.files.values()
        return {"sources": [self._inspection.source_of(file) for file in files]}

    def on_source(self, arguments: Arguments) -> dict[str, Any]:
        """Return the recorded text of a file."""
        return self._inspection.source(arguments)

    # -- beyond the protocol -----------------------------------------------------------------------

    def on_wrongcall_question(self, arguments: Arguments) -> dict[str, Any]:
        """Return the next question, or the result of the search."""
        return self._run.questions.next()

    def on_wrongcall_answer(self, arguments: Arguments) -> dict[str, Any]:
        """Take an answer; return what comes next."""
        return self._run.questions.answer(arguments)

    def on_wrongcall_finding(self, arguments: Arguments) -> dict[str, Any]:
        """Return what was found."""
        return self._run.questions.finding()

    def on_wrongcall_time(self, arguments: Arguments) -> _Reply:
        """Go to a time of the run; without one, tell the current one and how many there are."""
        recording, here = self._debuggee.recording, self._debuggee.here
        if arguments.has("time"):
            time = min(max(arguments.number("time"), 0), recording.event_count - 1)
            found = recording.walk.near(time)
            if found is None:
                raise UsageError(f"no call was running at time {time}")
            return self._moved(here, Moved(found, "goto"))
        return _Reply({"time": here.state, "events": recording.event_count})

    def on_wrongcall_counts(self, arguments: Arguments) -> dict[str, Any]:
        """Return how often each line of the current call ran."""
        counts = self._debuggee.recording.execution.line_activity(
            self._debuggee.here.call, 0, 0, 0
        ).counts
        call = self._debuggee.recording.call(self._debuggee.here.call)
        file = self._debuggee.recording.program.files[call.function.file]
        told = [{"line": line, "count": count} for line, count in sorted(counts.items())]
        return {"path": file.path, "counts": told}

    # -- the end -----------------------------------------------------------------------------------

    def on_cancel(self, arguments: Arguments) -> None:
        """Cancel a request: that happened when the message was read."""

    def on_terminate(self, arguments: Arguments) -> _Reply:
        """End the debugging session."""
        self.close()
        return _Reply(None, self._ended())

    def _ended(self) -> list[tuple[str, dict[str, Any]]]:
        status = None if self._recorder is None else self._recorder.status
        exited = [] if status is None else [("exited", {"exitCode": status})]
        return [*exited, ("terminated", {})]

    def on_disconnect(self, arguments: Arguments) -> None:
        """Save the answers, and end."""
        self.close()
        self.is_over = True

    def close(self) -> None:
        """Save the answers, end the program if it is still being recorded, and close the trace."""
        if self._recorder is not None:
            self._recorder.close()
        if self._opened is not None:
            self._opened.debuggee.close()
            self._opened = None
