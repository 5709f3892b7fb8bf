"""``wrongcall dap``: as a process, on standard input and output and on a port."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

COMMAND = [sys.executable, "-m", "wrongcall", "dap"]


def ask(writer: IO[bytes], reader: IO[bytes], number: int, command: str, **arguments: Any) -> Any:
    """Send a request, and return its response; events on the way are ignored."""
    message = {"seq": number, "type": "request", "command": command, "arguments": arguments}
    body = json.dumps(message).encode()
    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    writer.flush()
    while True:
        length = int(reader.readline().partition(b":")[2])
        reader.readline()
        found = json.loads(reader.read(length))
        if found["type"] == "response":
            return found


def test_standard_input_and_output_carry_messages_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("def f(n):\n    return n\n\nprint(f(1))\n")
    with subprocess.Popen(COMMAND, cwd=tmp_path, stdin=-1, stdout=-1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        streams = process.stdin, process.stdout
        assert ask(*streams, 1, "initialize", adapterID="x")["body"]["supportsStepBack"]
        launched = ask(*streams, 2, "launch", program="prog.py", cwd=str(tmp_path))
        assert launched["success"], launched
        assert ask(*streams, 3, "configurationDone")["success"]
        asked = ask(*streams, 4, "wrongcall/question")["body"]
        assert "f(n=1)" in asked["text"]
        assert ask(*streams, 5, "disconnect")["success"]
        assert process.stdout.read() == b""
        assert process.wait(20) == 0


def test_a_client_that_closes_its_end_ends_the_process() -> None:
    with subprocess.Popen(COMMAND, stdin=-1, stdout=-1) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0


def test_the_recorded_program_ends_with_an_adapter_that_is_terminated(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(
        "import os, time\nopen('pid', 'w').write(f'{os.getpid()} ')\nwhile True:\n    time.sleep(0.01)\n"
    )
    with subprocess.Popen(COMMAND, cwd=tmp_path, stdin=-1, stdout=-1) as process:
        assert process.stdin is not None
        arguments = {"program": "prog.py", "cwd": str(tmp_path)}
        message = {"seq": 1, "type": "request", "command": "launch", "arguments": arguments}
        body = json.dumps(message).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        process.stdin.flush()
        pid = tmp_path / "pid"
        while not pid.exists() or not pid.read_text().endswith(" "):
            assert process.poll() is None
            time.sleep(0.05)
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
    assert not (Path("/proc") / pid.read_text().strip()).exists()


def test_a_port_is_on_this_machine_only() -> None:
    with subprocess.Popen([*COMMAND, "--port", "0"], stdout=-1, text=True) as process:
        assert process.stdout is not None
        host, _, port = process.stdout.readline().strip().rpartition(":")
        assert host == "127.0.0.1"
        with socket.create_connection((host, int(port))) as client:
            reader, writer = client.makefile("rb"), client.makefile("wb")
            assert ask(writer, reader, 1, "initialize", adapterID="x")["success"]
            reader.close()
            writer.close()
        process.terminate()


def test_a_port_in_use_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run([*COMMAND, "--port", str(port)], capture_output=True, text=True)
    assert done.returncode == 2
    assert f"can't listen on port {port}" in done.stderr
