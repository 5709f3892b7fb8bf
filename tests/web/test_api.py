"""The requests of the page, on the merge sort of the JHyde paper."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import EXAMPLES, TOKEN, Serve, recorded
from wrongcall.session.answers import ASSUMED, USER, Verdict
from wrongcall.web import workspace
from wrongcall.web.wire import identifier

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
WRONG_LINE = "        c[lb] = a[la]"
Data = dict[str, Any]


def get(client: TestClient, path: str, **query: Any) -> Data:
    answer = client.get(f"/{TOKEN}/api{path}", params=query)
    assert answer.status_code == 200, answer.text
    found: Data = answer.json()
    return found


def post(client: TestClient, path: str, **sent: Any) -> Data:
    answer = client.post(f"/{TOKEN}/api{path}", json=sent)
    assert answer.status_code == 200, answer.text
    found: Data = answer.json()
    return found


def refused(client: TestClient, path: str, **sent: Any) -> tuple[int, str]:
    answer = client.post(f"/{TOKEN}/api{path}", json=sent)
    return answer.status_code, answer.json()["error"]


def answer_all(client: TestClient, session: Data, wrong: set[str]) -> Data:
    """Answer until there is no question; the other calls are right."""
    while session["step"]["kind"] == "question":
        key = session["step"]["key"]
        verdict = "wrong" if key in wrong else "right"
        session = post(client, "/session/answer", key=key, verdict=verdict)
    return session


def told(session: Data) -> list[tuple[str, str]]:
    """Return what the user said, and of what."""
    return [(e["key"], e["said"]) for e in session["entries"] if e["by"] == USER]


WRONG = {"1", "2", "3", "8"}


def test_answers_lead_from_a_question_to_the_finding(paper: TestClient) -> None:
    session = get(paper, "/session")
    assert (session["calls"], session["suspects"], session["root"]) == (8, 8, "1")
    (assumed,) = session["entries"]
    assert (assumed["key"], assumed["said"], assumed["by"]) == ("1", "wrong", ASSUMED)
    version = session["version"]
    session = answer_all(paper, session, WRONG)
    found = session["step"]
    assert (found["kind"], found["key"]) == ("finding", "8")
    assert found["call"]["where"]["function"] == "merge"
    assert session["version"] > version
    said = {(told["call"], told["verdict"]) for told in found["evidence"]}
    assert said == {(8, "wrong")}
    assert session["suspects"] == 1


def test_a_session_is_kept_in_the_trace(serve: Serve, traces: dict[str, Path]) -> None:
    first = serve(traces["paper_mergesort"])
    asked = get(first, "/session")["step"]["key"]
    post(first, "/session/answer", key=asked, verdict="wrong")
    again = get(serve(traces["paper_mergesort"]), "/session")
    assert told(again) == [(asked, "wrong")]


def test_undo_judgements_and_decisions_are_requests(paper: TestClient) -> None:
    before = get(paper, "/session")
    assert not before["can_undo"]
    assert post(paper, "/session/judge", key="8", verdict="wrong")["can_undo"]
    assert get(paper, "/session")["step"]["kind"] == "finding"
    assert post(paper, "/session/confirm")["step"]["confirmed"]
    assert not post(paper, "/session/undo")["step"]["confirmed"]
    assert post(paper, "/session/reject")["step"]["again"]
    for _ in range(2):
        after = post(paper, "/session/undo")
    assert (after["step"]["key"], told(after)) == (before["step"]["key"], [])
    assert refused(paper, "/session/undo") == (400, "there is nothing to undo")
    post(paper, "/session/judge", key="8", verdict="wrong")
    assert post(paper, "/session/go-on")["step"]["kind"] != "finding"


def test_a_wrong_part_leads_to_the_call_that_made_it(serve: Serve, traces: dict[str, Path]) -> None:
    client = serve(traces["mergesort"])
    part = {"where": "outcome", "path": "result"}
    session = post(client, "/session/judge", key="3", verdict="wrong_part", part=part)
    where = session["step"]["call"]["where"]
    assert (where["function"], where["caller"]) == ("merge", 3)


def test_a_contradiction_is_reported_with_its_answer_numbers(paper: TestClient) -> None:
    post(paper, "/session/judge", key="8", verdict="wrong")
    path = f"/{TOKEN}/api/session/judge"
    answer = paper.post(path, json={"key": "8", "verdict": "right"})
    assert (answer.status_code, answer.json()["contradicts"]) == (409, [2])
    post(paper, "/session/judge", key="8", verdict="right", replace=True)
    assert get(paper, "/session")["step"]["kind"] == "question"


def test_the_strategy_can_be_changed(paper: TestClient) -> None:
    names = [each["name"] for each in get(paper, "/session")["strategies"]]
    assert "top-down" in names
    session = post(paper, "/session/strategy", name="top-down")
    assert (session["strategy"], session["step"]["key"]) == ("top-down", "2")
    assert refused(paper, "/session/strategy", name="magic")[0] == 400


def test_an_oracle_can_be_dismissed(paper: TestClient) -> None:
    (oracle,) = get(paper, "/session")["oracles"]
    assert oracle == {"name": "silent", "answers": 0, "silent": False}
    session = post(paper, "/session/dismiss", name="silent")
    assert session["oracles"][0]["silent"]
    assert session["oracle_troubles"] == [
        "silent: not asked any more in this session: you chose that"
    ]
    assert not post(paper, "/session/undo")["oracles"][0]["silent"]
    status, failure = refused(paper, "/session/dismiss", name="nobody")
    assert (status, "those asked: silent" in str(failure)) == (400, True)


def test_an_answer_to_an_old_question_is_a_judgement(paper: TestClient) -> None:
    asked = get(paper, "/session")["step"]["key"]
    other = "8" if asked != "8" else "6"
    session = post(paper, "/session/answer", key=other, verdict="right")
    assert told(session) == [(other, "right")]


def test_rows_can_be_opened_found_and_filtered(paper: TestClient) -> None:
    rows = post(paper, "/rows", open=None)
    assert rows["count"] == len(rows["rows"])
    keys = [row["key"] for row in rows["rows"]]
    assert keys == ["1", "2", "3", "4", "5-6", "5", "6", "7", "8"]
    kinds = {row["key"]: row["kind"] for row in rows["rows"]}
    assert (kinds["4"], kinds["5-6"]) == ("call", "collapsed")
    assert [row["depth"] for row in rows["rows"][:4]] == [0, 1, 2, 3]
    closed = post(paper, "/rows", open=None, closed=["3"], find="3")
    assert ([row["key"] for row in closed["rows"]], closed["found"]) == (["1", "2", "3"], 2)
    opened = post(paper, "/rows", open=["1"], find="3")
    assert ([row["key"] for row in opened["rows"]], opened["found"]) == (["1", "2"], -1)
    found = post(paper, "/rows", open=None, function="MER", first=1, count=1)
    assert (found["count"], [row["key"] for row in found["rows"]]) == (3, ["6"])
    found = post(paper, "/rows", open=None, value="size=2")
    assert [row["function"] for row in found["rows"]] == ["distribute"]
    assert refused(paper, "/rows", open=None, status="blue")[0] == 400


def test_rows_can_be_filtered_by_status(paper: TestClient) -> None:
    post(paper, "/session/judge", key="8", verdict="right")
    found = post(paper, "/rows", open=None, status="right")
    assert [row["key"] for row in found["rows"]] == ["8"]
    suspects = post(paper, "/rows", open=None, status="suspect")
    assert [row["key"] for row in suspects["rows"]] == ["2", "3", "4", "5", "6", "7"]
    post(paper, "/session/judge", key="7", verdict="wrong")
    cleared = post(paper, "/rows", open=None, status="cleared")
    assert [row["key"] for row in cleared["rows"]] == ["2", "3", "4", "5", "6"]


def test_the_groups_of_a_large_trace_are_found_meanwhile(
    serve: Serve, traces: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "MAX_EVENTS_AT_ONCE", 0)
    client = serve(traces["paper_mergesort"])
    first = get(client, "/session")
    assert post(client, "/rows", open=None)["count"] == 8
    until = time.monotonic() + 60
    while get(client, "/session")["version"] == first["version"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert post(client, "/rows", open=None)["rows"][4]["key"] == "5-6"
    again = get(client, "/session")
    assert again["version"] > first["version"]
    assert again["step"]["key"] == first["step"]["key"]  # it stays until it is answered


LOOP = """
def double(n):
    return 2 * n + (n == 5)

def collect(numbers):
    found = []
    for n in numbers:
        found.append(double(n))
    return found

def put(box, n):
    box.append(n)

def fill(box):
    put(box, 1)
    put(box, 2)

fill([])
collect([1, 2, 3, 4, 5, 6])
"""


def test_a_group_shows_the_combined_effect_of_its_calls(serve: Serve, tmp_path: Path) -> None:
    program = tmp_path / "loop.py"
    program.write_text(LOOP)
    client = serve(recorded(program, tmp_path / "loop.wrongcall"))
    groups: list[Data] = []
    step = get(client, "/session")["step"]
    while step["kind"] == "question":
        groups += [step] if step["calls"] > 1 else []
        sent = {"key": step["key"], "verdict": "dont_know"}
        step = post(client, "/session/answer", **sent)["step"]
    (together,) = [group for group in groups if not group["list"]]
    changed = [(c["place"], c["new"]) for c in together["changed"]]
    assert changed == [("box[0]", "1"), ("box[1]", "2")]
    assert [member["title"] for member in together["members"]] == ["put(box, n=1)", "put(box, n=2)"]
    last = together["members"][-1]["call"]
    assert together["after"] == get(client, f"/calls/{last}")["exit"]
    lists = [group for group in groups if group["list"]]
    assert lists
    for listed in lists:
        assert listed["changed"] == []  # what their caller did with it is not theirs
        assert [(m["title"], m["outcome"]) for m in listed["members"]] == [
            (f"double(n={n})", f"-> {2 * n + (n == 5)}")
            for n in (m["call"] - 5 for m in listed["members"])
        ]
        assert len(listed["members"]) == listed["calls"]


LIST = """
RATE = 2

def store(box, x):
    box.append(x * RATE)
    return x

def all_of(xs):
    found = []
    for x in xs:
        found.append(store([], x))
    return found

all_of(range(30))
"""


def test_a_list_includes_everything_needed_to_judge_its_calls(serve: Serve, tmp_path: Path) -> None:
    script = tmp_path / "loop.py"
    script.write_text(LIST)
    (tmp_path / "made").mkdir()
    client = serve(recorded(script, tmp_path / "made" / "loop.wrongcall"))
    session = post(client, "/session/judge", key="2", verdict="wrong")
    step = session["step"]
    assert step["list"] is True
    assert step["calls"] == len(step["members"]) == 8
    calls = [member["call"] for member in step["members"]]
    assert calls == list(range(calls[0], calls[0] + len(calls)))
    for member in step["members"]:
        x = member["call"] - 3
        assert member["title"] == f"store(box=[], x={x})"
        assert member["outcome"] == f"-> {x}"
    details = post(client, "/members", calls=calls)["members"]
    assert [member["call"] for member in details] == calls
    for member in details:
        x = member["call"] - 3
        (change,) = member["changed"]
        assert (change["place"], change["new"]) == ("box[0]", str(2 * x))
        assert [(read["label"], read["summary"]) for read in member["read"]] == [("RATE", "2")]
        assert (member["printed"], member["yielded"]) == ("", [])
    text = "judge the invalid call itself"
    status, error = refused(client, "/session/answer", key=step["key"], verdict="inadmissible")
    assert status == 400
    assert text in error


def test_calls_that_share_state_are_not_a_list(paper: TestClient) -> None:
    session = post(paper, "/session/judge", key="3", verdict="wrong")
    assert (session["step"]["key"], session["step"]["list"]) == ("5-6", False)


def test_titles_are_served_separately(paper: TestClient) -> None:
    (title,) = post(paper, "/titles", calls=[2])["titles"]
    assert (title["title"], title["outcome"]) == ("main()", "-> None")


def test_the_picture_shows_the_run(paper: TestClient) -> None:
    picture = get(paper, "/icicle", width=100)
    assert (picture["first"], picture["end"]) == (0, 9)
    assert picture["boxes"][0][:4] == [0, 9, 0, "wrong"]
    assert [box[2] for box in picture["boxes"]] == [0, 1, 2, 3, 3, 3, 3, 3]
    inner = get(paper, "/icicle", width=10, key="3")
    assert (inner["first"], inner["end"], inner["boxes"][0][2]) == (2, 9, 0)


def test_a_call_is_served_with_its_changes(paper: TestClient) -> None:
    call = get(paper, "/calls/8")
    assert (call["call"], call["status"], call["calls_below"]) == (8, "suspect", 0)
    places = [(c["place"], c["old"], c["new"]) for c in call["changed"]]
    assert ("c[2]", "1", "9") in places


def test_events_have_neighbouring_times(paper: TestClient) -> None:
    every = get(paper, "/calls/8/events")
    assert every["count"] == len(every["events"])
    some = get(paper, "/calls/8/events", first=3, count=2)
    assert some["events"] == every["events"][3:5]
    times = sorted({event["time"] for event in every["events"]})
    here = get(paper, "/calls/8/events", time=times[2])
    assert (here["before"], here["after"]) == (times[1], times[3])
    assert every["events"][here["index"]]["time"] == times[2]
    ends = [get(paper, "/calls/8/events", time=time) for time in (times[0], times[-1])]
    assert (ends[0]["before"], ends[1]["after"]) == (None, None)


def test_events_that_changed_a_place_are_marked(paper: TestClient) -> None:
    marks = get(paper, "/calls/8/marks", place="c[2]")["marks"]
    events = get(paper, "/calls/8/events")["events"]
    assert [(events[i]["value"], how) for i, _, how in marks] == [
        ("7", "changed"),
        ("9", "changed"),
    ]
    inside = get(paper, "/calls/3/marks", place="a[2]")["marks"]
    made = get(paper, "/calls/3/events")["events"]
    assert {(made[i]["kind"], how) for i, _, how in inside} >= {("call", "inside")}


def test_history_and_origin_are_served(paper: TestClient) -> None:
    history = get(paper, "/calls/8/history", place="c[2]")
    assert [version["value"] for version in history["versions"]] == ["1", "1", "7", "9"]
    assert history["versions"][-1]["source"] == WRONG_LINE.strip()
    assert history["index"] == 3
    early = get(paper, "/calls/8/history", place="c[2]", now=history["versions"][2]["time"] - 1)
    assert early["index"] == 1
    some = get(paper, "/calls/8/history", place="c[2]", first=1, count=2)
    assert (some["count"], some["versions"]) == (4, history["versions"][1:3])
    origin = get(paper, "/calls/8/origin", place="c[2]")
    assert (origin["value"], origin["end"]) == ("9", "literal")


def test_the_tree_of_an_origin_is_served_node_by_node(paper: TestClient) -> None:
    top = get(paper, "/calls/8/origin-parts", place="c[2]")
    assert (top["at"], top["node"]["value"], top["node"]["code"]) == ("", "9", WRONG_LINE.strip())
    assert [node["text"] for node in top["operands"][:2]] == ["a[la]", "la"]
    (test,) = [node for node in top["conditions"] if node["text"] == "la < ra"]
    assert (test["kind"], test["taken"]) == ("condition", True)
    number = len(top["operands"]) + top["conditions"].index(test)
    below = get(paper, "/calls/8/origin-parts", place="c[2]", at=f"{number}")
    assert below["node"] == test
    assert {node["text"]: node["value"] for node in below["operands"]} == {"la": "1", "ra": "2"}
    deeper = get(paper, "/calls/8/origin-parts", place="c[2]", at=f"{number}.0")
    assert deeper["node"] == below["operands"][0]


def test_printed_lines_name_the_calls_that_printed_them(serve: Serve, tmp_path: Path) -> None:
    program = tmp_path / "prog.py"
    program.write_text(
        "import sys\n"
        "def begin():\n    print('a', end='')\n"
        "def go_on():\n    print('b\\n\\nc')\n    sys.stderr.write('wrong\\n')\n"
        "begin()\ngo_on()\nprint('d', end='')\n"
    )
    client = serve(recorded(program, tmp_path / "prog.wrongcall"))
    output = get(client, "/output")
    shown = [(line["text"], line["call"]) for line in output["lines"]]
    assert shown == [("ab", 2), ("", 3), ("c", 3), ("wrong", 3), ("d", 1)]
    assert get(client, "/output", first=1, count=2)["lines"] == output["lines"][1:3]
    assert get(client, "/output", now=output["lines"][2]["time"])["index"] == 2


def test_the_source_shows_what_was_executed_by_a_time(paper: TestClient) -> None:
    whole = get(paper, "/calls/8/source")
    text = {line["number"]: line for line in whole["lines"]}
    (wrong,) = [number for number, line in text.items() if line["text"] == WRONG_LINE]
    assert text[wrong]["executed"] == 1
    assert whole["line"] == 0
    written = get(paper, "/calls/8/history", place="c[2]")["versions"][-1]["time"]
    assert get(paper, "/calls/8/source", time=written)["line"] == wrong
    early = get(paper, "/calls/8/source", time=written - 1)
    assert {line["number"]: line["executed"] for line in early["lines"]}[wrong - 1] == 1
    file = get(paper, f"/files/{whole['file']}")
    assert file["lines"] == (EXAMPLES / "paper_mergesort.py").read_text().splitlines()


def test_variables_are_those_of_a_time(paper: TestClient) -> None:
    shown = get(paper, "/calls/8/variables")
    values = {node["label"]: node["summary"] for node in shown["variables"]}
    assert (values["c"], values["lb"]) == ("[1, 4, 9, 7]", "3")
    assert "merge" in {node["label"] for node in shown["globals"]}
    entry = get(paper, "/calls/8")["time"]
    before = get(paper, "/calls/8/variables", time=entry)
    assert {node["label"]: node["summary"] for node in before["variables"]}["lb"] == "0"


def test_objects_are_opened_part_by_part(paper: TestClient) -> None:
    call = get(paper, "/calls/8")
    (given,) = [node for node in call["given"] if node["label"] == "c"]
    parts = get(paper, f"/objects/{given['object']}", time=call["time"], first=1, count=2)["parts"]
    assert [(part["label"], part["summary"]) for part in parts] == [("[1]", "9"), ("[2]", "1")]


def test_the_report_can_be_downloaded(paper: TestClient) -> None:
    path = f"/{TOKEN}/api/report"
    assert paper.get(path).status_code == 400
    post(paper, "/session/judge", key="8", verdict="wrong", expected="c[2] stays 7")
    answer = paper.get(path)
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="wrongcall-report.md"'
    assert "# The bug is in merge (examples/paper\\_mergesort.py:8)" in answer.text
    assert "(Python 3" in answer.text
    assert "with 1 answer." in answer.text
    assert "c[2] stays 7" in answer.text
    assert "It is wrong, and it made no calls." in answer.text
    assert WRONG_LINE in answer.text
    page = paper.get(f"{path}?format=html")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>The bug is in merge (examples/paper_mergesort.py:8)</h1>" in page.text
    plain = paper.get(f"{path}?format=json").json()
    assert (plain["finding"]["function"], plain["questions"]) == ("merge", 1)
    assert paper.get(f"{path}?format=exe").status_code == 400


def test_the_report_claims_no_more_than_was_said(serve: Serve, traces: dict[str, Path]) -> None:
    client = serve(traces["mergesort"])
    post(client, "/session/judge", key="4", verdict="wrong")
    for key in ("5", "6"):
        post(client, "/session/judge", key=key, verdict="right")
    post(client, "/session/judge", key="10", verdict="trust_function")
    text = client.get(f"/{TOKEN}/api/report").text
    assert "of the 3 calls it made, 2 right, 1 trusted" in text


@pytest.mark.parametrize(
    "path",
    [
        "/calls/9", "/calls/0", "/calls/8/events?time=0", "/calls/8/events?first=x",
        "/calls/8/history", "/calls/8/history?place=import", "/calls/8/origin?place=zzz",
        "/calls/8/origin-parts?place=c[2]&at=x", "/calls/8/origin-parts?place=c[2]&at=99",
        "/files/99", "/objects/1?time=99999", "/icicle?key=a-b", "/path?key=3-4",
    ],
)  # fmt: skip
def test_unknown_things_are_refused_with_a_message(paper: TestClient, path: str) -> None:
    answer = paper.get(f"/{TOKEN}/api{path}")
    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "sent",
    [
        {"key": "8", "verdict": "maybe"}, {"key": "x", "verdict": "right"}, {"verdict": "right"},
        {"key": 8, "verdict": "right"}, {"key": "8", "verdict": "wrong_part"},
        {"key": "8", "verdict": "wrong_part", "part": {"where": "here", "path": "c"}},
        {"key": "8", "verdict": "wrong_part", "part": {"where": "effect", "path": "1+"}},
        {"key": "99", "verdict": "right"},
    ],
)  # fmt: skip
def test_an_answer_that_makes_no_sense_changes_nothing(paper: TestClient, sent: Data) -> None:
    version = get(paper, "/session")["version"]
    assert refused(paper, "/session/judge", **sent)[0] == 400
    session = get(paper, "/session")
    assert (session["version"], told(session)) == (version, [])


# -- the documentation -----------------------------------------------------------------------------

TABLES = re.findall(
    r"^\| `(GET|POST) ([^`]+)` \|([^|]*)\|([^|]*)\|", DOCS.read_text(), re.MULTILINE
)
MEMBERS = {path: set(re.findall(r"`(\w+)`", members)) for _, path, _, members in TABLES}
EXAMPLE_REQUESTS: dict[str, Data] = {
    "/path": {"key": "8"}, "/calls/N/history": {"place": "c[2]"},
    "/calls/N/eval": {"expression": "la"}, "/files/N/runs": {"line": "16"},
    "/find": {"search": "merge"}, "/calls/N/compare": {"other": "6"},
    "/calls/N/marks": {"place": "c[2]"}, "/calls/N/origin": {"place": "c[2]"},
    "/calls/N/origin-parts": {"place": "c[2]"},
    "/calls/N/text": {"place": "c"}, "/calls/N/python": {"place": "c"},
    "/side-by-side": {"old": 1, "new": 1, "before": 10, "after": 20},
    "/changed-text": {"owner": 8, "step": "c", "before": 100, "after": 175},
}  # fmt: skip


@pytest.mark.parametrize("method,path", [(m, p) for m, p, *_ in TABLES if p != "/changes"])
def test_the_documentation_names_all_members(paper: TestClient, method: str, path: str) -> None:
    real = (
        path.replace("/calls/N", "/calls/8")
        .replace("/files/N", "/files/1")
        .replace("/objects/N", "/objects/1")
    )
    if path == "/report":
        return  # no JSON; it has a test of its own
    if method == "GET":
        found = get(paper, real, **EXAMPLE_REQUESTS.get(path, {}))
    elif path.startswith("/session/"):
        post(paper, "/session/judge", key="8", verdict="wrong")
        name = "silent" if path.endswith("dismiss") else "top-down"
        sent = {"key": "6", "verdict": "right", "name": name}
        found = post(paper, real, **sent)
        assert MEMBERS[path] == set()  # said once, of the session
        path = "/session"
    else:
        found = post(paper, real, open=None, calls=[1])
    assert set(found) == MEMBERS[path]


def test_the_documentation_names_all_requests(paper: TestClient) -> None:
    from wrongcall.web.api import Api

    routes = {r.path for r in Api(paper).routes()}  # type: ignore[arg-type]
    documented = {
        re.sub(r"/(call|file|object)s/N", r"/\1s/{\1:number}", f"/api{p}") for _, p, *_ in TABLES
    }
    assert documented == routes


def test_the_documentation_names_all_verdicts() -> None:
    text = DOCS.read_text()
    assert all(f"`{identifier(verdict)}`" in text for verdict in Verdict)


def test_the_documentation_names_the_members_of_rows_and_steps(paper: TestClient) -> None:
    text = DOCS.read_text()
    said = {name: set(re.findall(r'"(\w+)":', part)) for name, part in re.findall(
        r"^An? \*\*(\w+)\*\* is\n\n(    .*?)\n\n", text, re.MULTILINE | re.DOTALL)}  # fmt: skip
    assert set(post(paper, "/rows", open=None)["rows"][0]) == said["row"]
    assert set(get(paper, "/session")["step"]) == said["question"]
    post(paper, "/session/judge", key="8", verdict="wrong")
    session = get(paper, "/session")
    assert set(session["step"]) == said["finding"]
    assert set(session["entries"][0]) == said["entry"]
