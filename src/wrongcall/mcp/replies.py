"""What tools return: text for the agent to read, and the same with its key facts as data.

The fields are the output schemas of the tools.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class Reply(BaseModel):
    """What every tool returns."""

    text: str = Field(description="The answer, to be read.")
    next: str = Field(description="Which tool to call next, and why.")
    cursor: Annotated[
        str,
        Field(description="Pass it to the same call to read on; empty if this was the last page."),
    ] = ""


class RecordReply(Reply):
    """A recorded run."""

    trace: str = Field(description="The trace, for all other tools.")
    ended: str = Field(description="How the program ended.")
    failures: list[str] = Field(
        description="The tests that failed, or the exception that ended the run."
    )


class SearchStateReply(Reply):
    """Where a search for the bug is."""

    status: str = Field(description="question, finding, contradiction, no_bug or needs_more_tree")
    calls: list[int] = Field(description="The calls that the question or the finding is about.")
    judge_each: Annotated[
        bool,
        Field(
            description="For a question: right only if every one of the calls is right by itself."
        ),
    ] = False
    place: Annotated[str, Field(description="For a finding: file and line.")] = ""
    proved: Annotated[
        bool, Field(description="For a finding: whether it rests on no answer of an agent.")
    ] = False


class CallReply(Reply):
    """One call."""

    call: int
    function: str
    place: str


class FoundReply(Reply):
    """What a search in the recording found."""

    calls: list[int] = Field(description="The calls of the matches on this page's text, in order.")
    more: bool = Field(description="Whether there are more matches than were looked for.")


class CompareReply(Reply):
    """Where two runs part."""

    differs: bool = Field(description="Whether a difference was found.")
    function: Annotated[
        str, Field(description="The function of the first call in which the runs part.")
    ] = ""
    place: Annotated[str, Field(description="Its file and line.")] = ""
    good_call: Annotated[int, Field(description="That call, in the good run; 0: none.")] = 0
    bad_call: Annotated[int, Field(description="That call, in the other run; 0: none.")] = 0


class TextReply(Reply):
    """An answer that is only to be read."""
