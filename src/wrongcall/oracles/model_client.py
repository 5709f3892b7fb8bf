"""Talk to a language model: a command, or an address that speaks the chat-completions protocol.

A request has one time limit, for all of it. Nothing is followed elsewhere: a redirect is an error, so that the key of
one service is not shown to another. What comes back is text, and may be anything.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from wrongcall.errors import OracleError

if TYPE_CHECKING:
    import urllib.request

MAX_REPLY_BYTES = 1 << 20
DEFAULT_TIMEOUT_S = 60.0
DEFAULT_SAMPLES = 3
_CHUNK = 1 << 14


@dataclass(frozen=True)
class ModelSettings:
    """Which model is asked, and how."""

    command: tuple[str, ...] = ()
    """A program that takes the prompt on its standard input and prints JSON."""
    url: str = ""
    """Where to POST chat completions."""
    model: str = ""
    """The name of the model, for an address."""
    key_env: str = ""
    """The environment variable with the key for an address."""
    samples: int = DEFAULT_SAMPLES
    """How often each question is asked."""
    timeout: float = DEFAULT_TIMEOUT_S
    """Seconds for one request."""
    certain: bool = False
    """Whether samples that all agree decide."""
    mask: tuple[str, ...] = ()
    """More patterns of what must not be sent."""

    @property
    def target(self) -> str:
        """Where prompts go, in words."""
        return f"the command {shlex.join(self.command)}" if self.command else self.url


class ModelClient:
    """Sends prompts to a model."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings

    def ask(self, prompt: str) -> str:
        """Return the model's answer to a prompt."""
        return self._run(prompt) if self.settings.command else self._post(prompt)

    def _run(self, prompt: str) -> str:
        try:
            done = subprocess.run(
                self.settings.command,
                input=prompt.encode("utf-8", "replace"),
                capture_output=True,
                timeout=self.settings.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as exc:
            raise OracleError(f"no answer within {self.settings.timeout:g} s") from exc
        except OSError as exc:
            raise OracleError(f"can't run {self.settings.command[0]}: {exc.strerror}") from exc
        if done.returncode:
            words = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise OracleError(f"the command failed ({done.returncode}): {' '.join(words)[:200]}")
        return done.stdout[:MAX_REPLY_BYTES].decode("utf-8", "replace")

    def _post(self, prompt: str) -> str:
        body = {"model": self.settings.model, "messages": [{"role": "user", "content": prompt}]}
        headers = {"Content-Type": "application/json"}
        if self.settings.key_env:
            key = os.environ.get(self.settings.key_env)
            if not key:
                raise OracleError(f"the environment variable {self.settings.key_env} is not set")
            headers["Authorization"] = f"Bearer {key}"
        from http.client import HTTPException  # noqa: PLC0415 - as below
        from urllib.error import HTTPError  # noqa: PLC0415
        from urllib.request import Request  # noqa: PLC0415

        request = Request(self.settings.url, json.dumps(body).encode(), headers, method="POST")
        try:
            with _opener().open(request, timeout=self.settings.timeout) as reply:
                data = self._read(reply)
        except TimeoutError as exc:
            raise OracleError(f"no answer within {self.settings.timeout:g} s") from exc
        except HTTPError as exc:
            exc.close()  # it holds the connection
            raise OracleError(f"can't ask {self.settings.url}: {exc}") from exc
        except (OSError, HTTPException, ValueError) as exc:
            raise OracleError(f"can't ask {self.settings.url}: {exc}") from exc
        return _content(data)

    def _read(self, reply: IO[bytes]) -> bytes:
        """Read an answer; an answer that trickles in is cut off too."""
        until = time.monotonic() + self.settings.timeout
        parts: list[bytes] = []
        while part := reply.read1(_CHUNK):  # type: ignore[attr-defined]
            parts.append(part)
            if time.monotonic() > until:
                raise TimeoutError
            if sum(map(len, parts)) > MAX_REPLY_BYTES:
                raise ValueError("the answer is too long")
        return b"".join(parts)


def _opener() -> urllib.request.OpenerDirector:
    """Return an opener that follows no redirects."""
    import urllib.error  # noqa: PLC0415 - who asks no model does not wait for it
    import urllib.request  # noqa: PLC0415

    class NoRedirects(urllib.request.HTTPRedirectHandler):
        def redirect_request(
            self,
            req: urllib.request.Request,
            fp: IO[bytes],
            code: int,
            msg: str,
            headers: Any,
            newurl: str,
        ) -> None:
            why = "redirects are not followed"
            raise urllib.error.HTTPError(req.full_url, code, why, headers, fp)

    return urllib.request.build_opener(NoRedirects)


def _content(data: bytes) -> str:
    try:
        found: Any = json.loads(data)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as exc:
        raise OracleError(f"not a chat completion: {data[:80]!r}") from exc
    if not isinstance(found, str):
        raise OracleError(f"not a chat completion: {data[:80]!r}")
    return found
