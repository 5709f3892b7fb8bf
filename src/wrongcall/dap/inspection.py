"""What a client shows at a stop: threads, stacks, scopes, variables, values of expressions, source.

Frames and variables are known to the client by numbers, which are valid until the next move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from wrongcall.dap.arguments import Arguments
from wrongcall.dap.breakpoints import data_id
from wrongcall.dap.debuggee import Debuggee
from wrongcall.errors import NotKnownError, UsageError, WrongcallError
from wrongcall.events import Kind
from wrongcall.present.answers import answer_text
from wrongcall.present.text import safe
from wrongcall.present.values import ValueNode, Viewer
from wrongcall.recording import File, Outcome, Recording, Ref, Stop

MAX_PARTS = 1000
"""Parts of an object that are shown to a client that does not ask for pages."""
WIDTH = 200
"""Columns of a value."""
MAX_WIDTH = 20_000
"""Columns of a value that is copied, or evaluated in the console."""
_ITEMS = frozenset({"list", "tuple", "deque", "range", "array", "bytearray"})
_FIRST_TASK = 1 << 20
"""Tasks are numbered from here on, so that no thread has the same number."""
LOCALS, GLOBALS, RETURNED = "locals", "globals", "returned"


@dataclass(frozen=True)
class Frame:
    """A call on the stack."""

    call: int
    line: int
    state: int


@dataclass(frozen=True)
class Holder:
    """What a reference to variables means: a scope of a frame, or an object."""

    frame: Frame
    scope: str = ""
    object: int = 0
    path: str = ""
    """How to reach the object from the frame; empty: it can't be written as an expression."""


class Inspection:
    """Answers what there is at the stop of a debuggee."""

    def __init__(self, debuggee: Debuggee) -> None:
        self._debuggee = debuggee
        self._frames: list[Frame] = []
        self._holders: list[Holder] = []
        self._tasks: dict[int, Stop] | None = None
        self._task_ids: dict[int, int] = {}

    def moved(self) -> None:
        """Forget the frames and variables of the last stop."""
        self._frames.clear()
        self._holders.clear()
        self._tasks = None

    @property
    def _recording(self) -> Recording:
        return self._debuggee.recording

    # -- threads and stacks ------------------------------------------------------------------------

    def threads(self) -> list[dict[str, Any]]:
        """Return the threads of the run, at least one, and the tasks that wait at the stop."""
        threads = self._recording.program.threads
        found = [
            {"id": number, "name": _thread_name(number, thread.process)}
            for number, thread in threads.items()
        ] or [{"id": 1, "name": "main thread"}]
        waiting = self._waiting() if self._debuggee.stop is not None else {}
        return found + [
            {"id": self._task_id(call), "name": self._task_name(call)} for call in waiting
        ]

    def _waiting(self) -> dict[int, Stop]:
        """Return where tasks wait, by their calls."""
        if self._tasks is None:
            walk, here = self._recording.walk, self._debuggee.here
            others = (self.stop_of(number) for number in self._recording.program.threads)
            running = [stop for stop in others if stop is not None] or [here]
            self._tasks = walk.waiting(here.happened, running)
        return self._tasks

    def _task_id(self, call: int) -> int:
        """Return the number by which the client knows a task, among those of threads."""
        return self._task_ids.setdefault(call, _FIRST_TASK + len(self._task_ids))

    def _task_name(self, call: int) -> str:
        return f"{safe(self._recording.call(call).function.qualname)} #{call} (waiting)"

    def thread(self) -> int:
        """Return the thread of the stop."""
        return self._recording.walk.thread(self._debuggee.here.call)

    def stack(self, arguments: Arguments) -> dict[str, Any]:
        """Return the stack of a thread, or a part of it."""
        stop = self.stop_of(arguments.number("threadId"))
        if stop is None:
            return {"stackFrames": [], "totalFrames": 0}
        first, levels = arguments.number("startFrame", 0), arguments.number("levels", 0)
        end = first + levels if levels > 0 else None
        callers = islice(self._recording.walk.stack(stop), first, None if end is None else end + 1)
        here = self._debuggee.here.state
        shown = [self._frame(caller.call, caller.line, here) for caller in callers]
        if end is not None and len(shown) > levels:
            # One more than there are, so that the client asks for the rest when it is needed.
            return {"stackFrames": shown[:levels], "totalFrames": end + 1}
        return {"stackFrames": shown, "totalFrames": first + len(shown)}

    def stop_of(self, thread: int) -> Stop | None:
        """Return where a thread or task is; None: it has not begun, or has ended."""
        here = self._debuggee.here
        if thread >= _FIRST_TASK:
            tasks = self._waiting().items()
            return next((stop for call, stop in tasks if self._task_ids.get(call) == thread), None)
        if thread == self._recording.walk.thread(here.call):
            return here
        found = self._recording.walk.at(here.state, thread)
        if found is None:
            return None
        outermost = list(self._recording.walk.stack(found))[-1].call
        exit = self._recording.call(outermost).exit
        return None if 0 <= exit <= here.state else found

    def _frame(self, number: int, line: int, state: int) -> dict[str, Any]:
        call = self._recording.call(number)
        self._frames.append(Frame(number, line, state))
        file = self._recording.program.files[call.function.file]
        return {
            "id": len(self._frames),
            "name": safe(call.function.qualname),
            "source": self.source_of(file),
            "line": line,
            "column": 1,
            "moduleId": file.module,
            "canRestart": True,
        }

    def frame(self, arguments: Arguments) -> Frame:
        """Return the frame that a request names, or the innermost one."""
        number = arguments.number("frameId", 0)
        if not number:
            here = self._debuggee.here
            return Frame(here.call, here.line, here.state)
        if not 0 < number <= len(self._frames):
            raise UsageError(f"there is no frame {number} at this stop")
        return self._frames[number - 1]

    # -- source ------------------------------------------------------------------------------------

    def source_of(self, file: File) -> dict[str, Any]:
        """Return a file; one that has changed since is read from the recording."""
        name = Path(file.path).name
        if self._debuggee.is_as_recorded(file):
            return {"name": name, "path": file.path}
        return {
            "name": f"{name} (as recorded)",
            "path": file.path,
            "sourceReference": file.id,
            "origin": "the recording",
        }

    def source(self, arguments: Arguments) -> dict[str, Any]:
        """Return the text of a file as it was recorded."""
        number = arguments.number("sourceReference", 0)
        path = arguments.inner("source").text("path", "")
        file = self._recording.program.files.get(number) if number else self._debuggee.file(path)
        if file is None:
            raise UsageError(f"there is no source {number or path!r} in the recording")
        return {"content": file.source, "mimeType": "text/x-python"}

    # -- variables ---------------------------------------------------------------------------------

    def scopes(self, arguments: Arguments) -> list[dict[str, Any]]:
        """Return the scopes of a frame."""
        frame = self.frame(arguments)
        call = self._recording.call(frame.call)
        found = [self._scope("Locals", "locals", Holder(frame, LOCALS))]
        if self._returned(frame) is not None:
            found.insert(0, self._scope("Return value", "returnValue", Holder(frame, RETURNED)))
        if call.function.kind != "module":
            found.append(self._scope("Globals read here", "globals", Holder(frame, GLOBALS)))
        return found

    def _scope(self, name: str, hint: str, holder: Holder) -> dict[str, Any]:
        return {
            "name": name,
            "presentationHint": hint,
            "variablesReference": self._held(holder),
            "expensive": False,
        }

    def _held(self, holder: Holder) -> int:
        self._holders.append(holder)
        return len(self._holders)

    def holder(self, reference: int) -> Holder:
        """Return what a reference to variables means."""
        if not 0 < reference <= len(self._holders):
            raise UsageError(f"there are no variables {reference} at this stop")
        return self._holders[reference - 1]

    def variables(self, arguments: Arguments) -> list[dict[str, Any]]:
        """Return the variables of a scope, or the parts of an object, or some of them."""
        holder = self.holder(arguments.number("variablesReference"))
        first, count = arguments.number("start", 0), arguments.number("count", 0)
        if not holder.scope:
            return self._parts(holder, first, count)
        nodes = list(self._named(holder))
        chosen = nodes[first : first + count] if count else nodes[first:]
        is_path = holder.scope != RETURNED
        return [self._variable(holder.frame, n, n.label if is_path else "") for n in chosen]

    def _named(self, holder: Holder) -> Iterator[ValueNode]:
        frame = holder.frame
        viewer = Viewer(self._recording, frame.state)
        if holder.scope == RETURNED:
            name, value = self._returned(frame) or ("", None)
            yield viewer.tree(value, name, depth=0, width=WIDTH)
            return
        values = self._locals(frame) if holder.scope == LOCALS else self._globals(frame)
        for name, value in values.items():
            yield viewer.tree(value, name, depth=0, width=WIDTH)

    def _locals(self, frame: Frame) -> dict[str, Any]:
        call = self._recording.call(frame.call)
        if call.function.kind != "module":
            return self._recording.states.locals(frame.call, frame.state)
        module = self._recording.program.files[call.function.file].module
        values = self._recording.states.globals(module, frame.state, call.process)
        return {name: value for name, value in values.items() if not name.startswith("__")}

    def _globals(self, frame: Frame) -> dict[str, Any]:
        call = self._recording.call(frame.call)
        module = self._recording.program.files[call.function.file].module
        values = self._recording.states.globals(module, frame.state, call.process)
        names = dict.fromkeys(read.name for read in self._recording.sources.reads(call.function))
        return {name: values[name] for name in names if name in values}

    def _returned(self, frame: Frame) -> tuple[str, Any] | None:
        """Return the name and result of the call that has just returned to a frame."""
        here = self._debuggee.here
        if here.is_line or here.call != frame.call:
            return None
        found = self._recording.events.select([Kind.RETURN], first=here.time, last=here.time + 1)
        if not len(found.times):
            return None
        number = self._recording.places.position(here.time).call
        call = self._recording.call(number)
        if number == frame.call or call.outcome != Outcome.RETURNED:
            return None
        return f"{safe(call.function.qualname)}()", call.value

    def _parts(self, holder: Holder, first: int, count: int) -> list[dict[str, Any]]:
        viewer = Viewer(self._recording, holder.frame.state)
        nodes = viewer.parts(holder.object, first, count or MAX_PARTS, WIDTH)
        found = []
        for node in nodes:
            reachable = holder.path and node.label.startswith((".", "["))
            path = f"{holder.path}{node.label}" if reachable else ""
            found.append(self._variable(holder.frame, node, path))
        if not count and len(nodes) == MAX_PARTS:
            more = "only the first parts are shown"
            found.append({"name": "…", "value": more, "variablesReference": 0})
        return found

    def _variable(self, frame: Frame, node: ValueNode, path: str) -> dict[str, Any]:
        held = self._held(Holder(frame, object=node.object, path=path)) if node.size else 0
        told: dict[str, Any] = {
            "name": node.label.removeprefix("."),
            "value": node.summary,
            "type": node.type,
            "variablesReference": held,
        }
        if path:
            told["evaluateName"] = path
        if held:
            told["indexedVariables" if node.type in _ITEMS else "namedVariables"] = node.size
        if node.bookkeeping:
            told["presentationHint"] = {"visibility": "internal"}
        return told

    # -- expressions -------------------------------------------------------------------------------

    def evaluate(self, arguments: Arguments) -> dict[str, Any]:
        """Return what an expression was at a frame, without running the program."""
        frame = self.frame(arguments)
        text = arguments.text("expression")
        answer = self._recording.asking.eval(text.strip(), frame.call, frame.state)
        if answer.error:
            raise UsageError(answer.error)
        if answer.unknown:
            raise NotKnownError(f"not known: {answer.unknown}")
        is_long = arguments.text("context", "") in ("clipboard", "repl")
        width = MAX_WIDTH if is_long else WIDTH
        told: dict[str, Any] = {
            "result": answer_text(self._recording, answer, frame.state, width),
            "variablesReference": 0,
        }
        if isinstance(answer.value, Ref):
            node = Viewer(self._recording, frame.state).tree(answer.value, text, depth=0, width=8)
            shown = self._variable(frame, node, self._path_of(frame, text))
            kept = ("type", "variablesReference", "namedVariables", "indexedVariables")
            told |= {name: shown[name] for name in kept if name in shown}
        elif answer.value is None or isinstance(answer.value, int | float | str | bytes):
            told["type"] = type(answer.value).__name__
        return told

    def _path_of(self, frame: Frame, text: str) -> str:
        """Return an expression that is a path; empty: it is not."""
        try:
            self._recording.places.find(frame.call, text.strip(), frame.state)
        except WrongcallError:
            return ""
        return text.strip()

    def data_info(self, arguments: Arguments) -> dict[str, Any]:
        """Return whether a data breakpoint can be set at a variable, and its identifier."""
        name, reference = arguments.text("name"), arguments.number("variablesReference", 0)
        if reference:
            holder = self.holder(reference)
            frame, path = holder.frame, name
            if not holder.scope:
                label = name if name.startswith("[") else f".{name}"
                path = f"{holder.path}{label}" if holder.path else ""
        else:
            frame, path = self.frame(arguments), name
        try:
            self._recording.places.find(frame.call, path, frame.state)
        except WrongcallError as error:
            return {"dataId": None, "description": str(error)}
        return {
            "dataId": data_id(frame.call, path, frame.state),
            "description": f"writes to {safe(path)}",
            "accessTypes": ["write"],
            "canPersist": False,
        }

    def exception(self) -> dict[str, Any]:
        """Return the exception at the stop."""
        here = self._debuggee.here
        found = self._recording.events.between(here.time, here.time + 1)
        if here.is_line or int(found["kind"][0]) not in (Kind.RAISE, Kind.CAUGHT, Kind.BLOCK):
            raise UsageError("there is no exception at this stop")
        value = self._recording.states.values.read(int(found["vtag"][0]), int(found["value"][0]))
        if not isinstance(value, Ref):
            raise UsageError("there is no exception at this stop")
        kind = self._recording.states.object(value.oid).type
        text = Viewer(self._recording, here.state).line(value, WIDTH)
        return {
            "exceptionId": safe(kind.qualname),
            "description": text,
            "breakMode": "always",
            "details": {
                "message": text,
                "typeName": safe(kind.qualname),
                "fullTypeName": safe(f"{kind.module}.{kind.qualname}"),
                "stackTrace": "\n".join(self._stack_lines(here)),
            },
        }

    def _stack_lines(self, stop: Stop) -> Iterator[str]:
        for caller in islice(self._recording.walk.stack(stop), 100):
            function = self._recording.call(caller.call).function
            path = self._recording.program.files[function.file].path
            yield f"{safe(path)}:{caller.line} in {safe(function.qualname)}"


def _thread_name(number: int, process: int) -> str:
    name = "main thread" if number == 1 else f"thread {number}"
    return name if process == 1 else f"{name} of process {process}"
