"""How blocks follow each other: each test notes one statement as the rewriter does."""

from __future__ import annotations

import pytest

from wrongcall.recorder.blocks import ALWAYS, IF_FALSE, IF_TRUE, Blocks


def test_a_block_is_followed_by_the_one_that_begins_next() -> None:
    blocks = Blocks()
    assert [blocks.new([1, 2]), blocks.new([3], silent=True)] == [0, 1]
    assert blocks.lines == [[1, 2], [3]]
    assert blocks.silent == [False, True]
    assert blocks.next == [[1, 0, ALWAYS], []]
    assert blocks.ends == [(1, 0, ALWAYS)]


def test_both_ways_of_an_if_lead_to_what_follows_it() -> None:
    blocks = Blocks()
    before = blocks.new([1])
    blocks.ends = [(before, 1, IF_TRUE)]
    body = blocks.new([2])
    blocks.ends = [*blocks.ends, (before, 1, IF_FALSE)]
    after = blocks.new([3])
    assert blocks.next[before] == [body, 1, IF_TRUE, after, 1, IF_FALSE]
    assert blocks.next[body] == [after, 0, ALWAYS]


def _loop_with(kind: str) -> tuple[Blocks, int, int, int]:
    """A loop whose body is nothing but a jump: the blocks of test, body and what follows."""
    blocks = Blocks()
    header = blocks.new([1], silent=True)
    blocks.loop(header)
    blocks.ends = [(header, 1, IF_TRUE)]
    body = blocks.new([2])
    blocks.jump(kind)
    assert blocks.ends == []  # nothing follows a jump
    breaks = blocks.loop_done()
    blocks.ends = [(header, 1, IF_FALSE), *breaks]
    return blocks, header, body, blocks.new([3])


def test_break_leads_behind_the_loop() -> None:
    blocks, header, body, after = _loop_with("break")
    assert blocks.next[body] == [after, 0, ALWAYS]
    assert blocks.next[header] == [body, 1, IF_TRUE, after, 1, IF_FALSE]


def test_continue_leads_back_to_the_test() -> None:
    blocks, header, body, _ = _loop_with("continue")
    assert blocks.next[body] == [header, 0, ALWAYS]


def test_the_end_of_a_loop_leads_back_to_its_test() -> None:
    blocks = Blocks()
    header = blocks.new([1])
    blocks.loop(header)
    body = blocks.new([2])
    assert blocks.loop_done() == []
    assert blocks.next[body] == [header, 0, ALWAYS]


@pytest.mark.parametrize("kind", ["break", "continue"])
def test_a_jump_out_of_try_goes_through_finally(kind: str) -> None:
    blocks = Blocks()
    header = blocks.new([1])
    blocks.loop(header)
    blocks.protect()
    body = blocks.new([3])
    blocks.jump(kind)
    jumps = blocks.begin_finally()
    assert jumps == {kind}
    cleanup = blocks.new([5])
    blocks.finally_done(jumps, ends_normally=False)
    breaks = blocks.loop_done()
    blocks.ends = list(breaks)
    after = blocks.new([6])
    assert blocks.next[body] == [cleanup, 0, ALWAYS]
    assert blocks.next[cleanup] == [after if kind == "break" else header, 0, ALWAYS]


def test_finally_after_a_normal_end_goes_on_both_ways() -> None:
    blocks = Blocks()
    header = blocks.new([1])
    blocks.loop(header)
    blocks.protect()
    tried = blocks.new([2])
    blocks.ends = [(tried, 2, IF_TRUE)]
    leaving = blocks.new([3])
    blocks.jump("continue")
    blocks.ends = [(tried, 2, IF_FALSE)]
    cleanup_jumps = blocks.begin_finally()
    cleanup = blocks.new([5])
    blocks.finally_done(cleanup_jumps, ends_normally=True)
    after = blocks.new([6])
    assert blocks.next[leaving] == [cleanup, 0, ALWAYS]
    assert blocks.next[cleanup] == [header, 0, ALWAYS, after, 0, ALWAYS]


def test_blocks_inside_a_with_resume_behind_it() -> None:
    blocks = Blocks()
    before = blocks.new([1])
    blocks.open_with()
    outer = blocks.new([2])
    blocks.open_with()
    inner = blocks.new([3])
    blocks.close_with(2, 2)
    between = blocks.new([4])
    blocks.close_with(1, 1)
    after = blocks.new([5])
    last = blocks.new([6])
    assert blocks.resume[inner] == [between, 2, 2, after, 1, 1]  # from inside out
    assert blocks.resume[outer] == blocks.resume[between] == [after, 1, 1]
    assert blocks.resume[before] == blocks.resume[after] == blocks.resume[last] == []


def test_a_suppressed_exception_can_skip_only_loops_that_stand_in_a_with() -> None:
    blocks = Blocks()
    blocks.loop(blocks.new([1]))
    blocks.open_with()  # inside the loop: the loop itself goes on
    assert not blocks.may_skip_loop()
    blocks.loop(blocks.new([3]))
    assert blocks.may_skip_loop()
    blocks.loop_done()
    assert not blocks.may_skip_loop()
