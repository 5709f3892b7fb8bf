"""A language model as an oracle: asked only if the user agreed, several times, at first without seeing the outcome.

All samples have to agree; if they split, or if the model finds nothing specified, the user is asked. An answer that
would settle most of the run never decides by itself. What is sent is masked first, and logged in the project's folder.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from wrongcall.errors import OracleError
from wrongcall.oracles.masking import Masking
from wrongcall.oracles.model_client import ModelClient, ModelSettings
from wrongcall.oracles.model_prompts import (
    about,
    agrees,
    blind_prompt,
    parsed_reply,
    shown_prompt,
    verdict_of,
)
from wrongcall.oracles.postcondition import holds
from wrongcall.oracles.rebuilding import arguments_of, result_of
from wrongcall.recording import Outcome, Recording, Ref
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Opinion, Oracle

LOG = "model.log"
CONSENT = "model-consent.json"
MAX_ASKED_CALLS = 20
"""Calls that the model is asked about in one session."""
MOST_OF_THE_RUN = 0.5
"""An answer about a call with a larger share of the run's calls does not decide."""

Texts = Callable[[Recording, int], tuple[str, str]]
"""Returns what a call was given, and what came out, as text."""


def has_consent(folder: Path, settings: ModelSettings) -> bool:
    """Return whether the user has agreed that questions of a project are sent there."""
    try:
        agreed = json.loads((folder / CONSENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(agreed, dict) and agreed.get("to") == settings.target


def give_consent(folder: Path, settings: ModelSettings, by: str) -> None:
    """Note that the user has agreed."""
    agreed = {"to": settings.target, "by": by, "at": time.time()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CONSENT).write_text(json.dumps(agreed), encoding="utf-8")
    except OSError as exc:
        raise OracleError(f"can't write {folder / CONSENT}: {exc.strerror}") from exc


class Model(Oracle):
    """Asks a language model."""

    name = "model"

    def __init__(
        self, recording: Recording, folder: Path, settings: ModelSettings, texts: Texts
    ) -> None:
        """``folder``: where the log and the consent are."""
        self._recording = recording
        self._folder = folder
        self._settings = settings
        self._texts = texts
        self._client = ModelClient(settings)
        self._masking = Masking(settings.mask)
        self._known: dict[int, Opinion | None] = {}

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return what all samples agree on; a model is not asked about groups."""
        if len(calls) > 1 or self._recording.call(calls[0]).exit < 0:
            return None
        if calls[0] not in self._known:
            if not has_consent(self._folder, self._settings):
                raise OracleError(
                    f"you have not agreed to send questions to {self._settings.target}"
                )
            if len(self._known) >= MAX_ASKED_CALLS:
                return None
            self._known[calls[0]] = self._ask(calls[0])
        return self._known[calls[0]]

    def _ask(self, call: int) -> Opinion | None:
        votes = []
        for _ in range(self._settings.samples):
            votes.append(self._sample(call))
            if votes[-1] is None or votes[-1] != votes[0]:
                return None
        verdict = votes[0]
        if verdict is None:
            return None
        decides = self._settings.certain and self._share(call) <= MOST_OF_THE_RUN
        confidence = Confidence.CERTAIN if decides else Confidence.LIKELY
        return Opinion(verdict, confidence, f"{len(votes)} of {len(votes)} samples agree")

    def _sample(self, call: int) -> Verdict | None:
        text = about(self._recording, call)
        before, after = self._texts(self._recording, call)
        reply = self._send(call, blind_prompt(text, before))
        if reply.get("unspecified"):
            return None
        view = self._recording.call(call)
        raised = ""
        if view.outcome is Outcome.RAISED and isinstance(view.value, Ref):
            raised = self._recording.states.object(view.value.oid).type.qualname
        returned = result_of(self._recording, call)
        if isinstance(condition := reply.get("postcondition"), str):
            is_met = holds(condition, arguments_of(self._recording, call), returned)
        else:
            is_met = agrees(reply, returned, raised)
        if is_met:
            return Verdict.RIGHT
        return verdict_of(self._send(call, shown_prompt(text, before, after)))

    def _send(self, call: int, prompt: str) -> dict[str, object]:
        masked = self._masking.mask(prompt)
        self._log({"call": call, "to": self._settings.target, "sent": masked})
        reply = self._client.ask(masked)
        self._log({"call": call, "received": reply})
        return parsed_reply(reply)

    def _log(self, entry: dict[str, object]) -> None:
        """Log before anything is sent; without a log nothing is sent."""
        try:
            with (self._folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"at": time.time(), **entry}) + "\n")
        except OSError as exc:
            raise OracleError(f"can't write {self._folder / LOG}: {exc.strerror}") from exc

    def _share(self, call: int) -> float:
        """Return the share of the run's calls that a call made, including itself."""
        view, table = self._recording.call(call), self._recording.calls.columns()
        first, last = np.searchsorted(table.entry, [view.entry, view.exit]).tolist()
        return float(last - first) / max(len(table.id), 1)
