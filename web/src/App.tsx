// The page: the question in the middle, the run on the left, the inside of a call on the right.

import { useCallback, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { type Call, firstCall, get, type Origin, type Session, type Verdict } from "./api";
import { Help } from "./Help";
import { type Place, useFetched, useKeptFocus, useLocation } from "./hooks";
import { Icicle } from "./Icicle";
import { Inspector, useKeys } from "./Inspector";
import { KEYS } from "./keys";
import { count, Key, State } from "./marks";
import { type Acting, ClashPanel, FindingPanel, LookedAt, NothingPanel, QuestionPanel } from "./Step";
import { type Following, useSession } from "./session";
import { Tree } from "./Tree";
import { PARTS } from "./Verdicts";

export function App() {
  const following = useSession();
  const [theme, setTheme] = useTheme();
  const { session, lost, error } = following;
  if (!session) {
    return (
      <main className="alone">
        {error ? (
          <State kind="error">{error}</State>
        ) : lost ? (
          <Gone />
        ) : (
          <State kind="loading">Reading the trace…</State>
        )}
      </main>
    );
  }
  return <Desk following={following} session={session} theme={theme} setTheme={setTheme} />;
}

function Gone() {
  return (
    <State kind="error">
      The server does not answer. If <code>wrongcall web</code> was ended, start it again and open the address that it
      prints: the answers are in the trace. This page goes on by itself when the server is back.
    </State>
  );
}

interface DeskProps {
  following: Following;
  session: Session;
  theme: string;
  setTheme: (theme: string) => void;
}

function Desk({ following, session, theme, setTheme }: DeskProps) {
  const [location, go] = useLocation();
  const [preview, setPreview] = useState<Verdict | null>(null);
  const [why, setWhy] = useState(false);
  const [help, setHelp] = useState(false);
  const [expecting, setExpecting] = useState(false);
  const { step } = session;
  const stepKey = step.kind === "question" || step.kind === "finding" ? step.key : "";
  const stepCall = step.kind === "question" || step.kind === "finding" ? step.call : null;
  const isLooking = location.key !== "" && location.key !== stepKey;
  const key = isLooking ? location.key : stepKey;
  const number = key ? firstCall(key) : 0;
  const looked = useFetched<Call>(
    isLooking ? `calls/${number}` : null,
    {},
    session.growing ? session.entries.length : session.version,
  );
  const call = isLooking ? looked.data : stepCall;
  // What has ended does not change any more.
  const again = session.growing && call && call.exit < 0 ? session.version : 0;
  const place = location.place?.of === number ? location.place : null;

  const tell = useCallback(
    (what: string, sent: object = {}) => {
      following.tell(what, sent);
      setExpecting(false);
      setPreview(null);
    },
    [following.tell],
  );

  // A new question is looked at from the beginning.
  useEffect(() => {
    if (!isLooking && location.key) go({ key: "" }, true);
  }, [isLooking, location.key, go]);
  const [last, setLast] = useState(stepKey);
  useEffect(() => {
    if (last === stepKey) return;
    setLast(stepKey);
    setWhy(false);
    go({ key: "", time: null, place: null, view: "question" });
  }, [last, stepKey, go]);

  const verdict = (said: Verdict, expected?: string) => {
    if (!key) return;
    const part = said === "this part is wrong" ? partOf(place) : null;
    if (said === "this part is wrong" && !part) return;
    // Of a group that somebody looks at, the first call is shown: it is the one that is judged.
    const about = isLooking ? String(number) : key;
    const sent = { key: about, verdict: said, ...(part ? { part } : {}), ...(expected ? { expected } : {}) };
    tell(isLooking ? "judge" : "answer", sent);
  };
  const wrong = (call: number) => tell("judge", { key: String(call), verdict: "wrong" });
  const onCall = (to: string, time?: number) => {
    go({ key: to === stepKey ? "" : to, time: time ?? null, view: time === undefined ? "question" : "inside" });
  };
  const follow = (from: Place) => {
    const trail = { place: from, tab: "origin" };
    get<Origin>(`calls/${from.of}/origin`, { place: from.path, time: from.at }).then(
      (origin) => {
        const last = origin.links.at(-1);
        const made = origin.made_by || (last?.call ?? 0);
        if (!made) return go(trail);
        const to = String(made);
        go({ ...trail, key: to === stepKey ? "" : to, time: last?.time ?? null, view: "inside" });
      },
      () => go(trail), // which says what is wrong
    );
  };
  const acting: Acting = {
    busy: following.busy,
    place,
    expecting,
    setExpecting,
    setPreview,
    verdict,
    wrong,
    onCall,
    follow,
    go,
  };
  // What is not shown yet is not judged.
  const judging = call !== null && (step.kind === "question" || isLooking);
  const asked = (said: Verdict) => (judging && !following.busy ? () => verdict(said) : undefined);
  const finding = step.kind === "finding" && !isLooking && !step.confirmed && !following.busy;
  useKeys({
    [KEYS.yes]: finding ? () => tell("confirm") : asked("right"),
    [KEYS.no]: finding ? () => tell("reject") : asked("wrong"),
    [KEYS.dontKnow]: asked("don't know"),
    [KEYS.trust]: asked("trust function"),
    [KEYS.trustModule]: asked("trust module"),
    [KEYS.inadmissible]: asked("inadmissible"),
    [KEYS.part]: place ? asked("this part is wrong") : undefined,
    [KEYS.expected]: judging ? () => setExpecting(true) : undefined,
    [KEYS.undo]: session.can_undo ? () => tell("undo") : undefined,
    [KEYS.why]: () => setWhy(!why),
    [KEYS.back]: () => go({ key: "", time: null, place: null, view: "question" }),
    [KEYS.history]: () => go({ tab: "history", view: "inside" }),
    [KEYS.origin]: () => go({ tab: "origin", view: "inside" }),
    [KEYS.steps]: () => go({ tab: "events", view: "inside" }),
    [KEYS.examine]: () => go({ tab: "variables", view: "inside" }),
    [KEYS.output]: () => go({ tab: "output", view: "inside" }),
    [KEYS.search]: () => {
      flushSync(() => go({ view: "run" }));
      document.getElementById("search")?.focus();
    },
    [KEYS.help]: () => setHelp(true),
    Escape: following.message || following.clash ? following.dismiss : undefined,
  });

  useKeptFocus();

  return (
    <div className={`desk view-${location.view}`} data-version={session.version}>
      <Head session={session} theme={theme} setTheme={setTheme} tell={tell} onHelp={() => setHelp(true)} />
      <Notices following={following} session={session} />
      <nav className="views" aria-label="Views">
        {[
          ["question", "Question"],
          ["run", "Run"],
          ["inside", "Inside"],
        ].map(([name, text]) => (
          <button
            key={name}
            type="button"
            aria-pressed={location.view === name}
            onClick={() => go({ view: name ?? "" })}
          >
            {text}
          </button>
        ))}
      </nav>
      <aside className="side-left" aria-label="The run" tabIndex={-1}>
        <Icicle
          version={session.version}
          calls={session.calls}
          root={session.root}
          question={step.kind === "question" ? step : null}
          selected={key}
          preview={preview}
          theme={theme}
          onSelect={(to) => onCall(to)}
        />
        <Tree
          session={session}
          selected={isLooking ? location.key : ""}
          preview={preview}
          onSelect={(to) => onCall(to)}
        />
      </aside>
      <main className="middle" tabIndex={-1}>
        {isLooking ? (
          looked.error ? (
            <State kind="error">{looked.error}</State>
          ) : call ? (
            <LookedAt call={call} session={session} acting={acting} />
          ) : (
            <State kind="loading">Reading…</State>
          )
        ) : step.kind === "question" ? (
          <QuestionPanel question={step} why={why} onWhy={() => setWhy(!why)} acting={acting} />
        ) : step.kind === "finding" ? (
          <FindingPanel finding={step} acting={acting} onTell={tell} />
        ) : step.kind === "contradiction" ? (
          <ClashPanel step={step} acting={acting} onTell={tell} />
        ) : (
          <NothingPanel step={step} session={session} acting={acting} onTell={tell} />
        )}
      </main>
      <aside className="side-right" aria-label="Inside the call" tabIndex={-1}>
        {number > 0 ? (
          <Inspector
            call={number}
            began={call?.entry ?? 0}
            entered={call ? call.time : null}
            exited={call?.exit ?? -1}
            location={location}
            go={go}
            again={again}
            follow={follow}
            onCall={onCall}
          />
        ) : (
          <State>Pick a call in the tree to see what happened in it.</State>
        )}
      </aside>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

function partOf(place: Place | null): { where: string; path: string } | null {
  return place && PARTS.includes(place.side) ? { where: place.side, path: place.path } : null;
}

interface HeadProps {
  session: Session;
  theme: string;
  setTheme: (theme: string) => void;
  tell: (what: string, sent?: object) => void;
  onHelp: () => void;
}

function Head({ session, theme, setTheme, tell, onHelp }: HeadProps) {
  const share = session.calls ? session.suspects / session.calls : 0;
  const left = session.step.kind === "question" ? session.step.why.left : undefined;
  return (
    <header className="head">
      <span className="brand">
        <span className="logo" aria-hidden="true" />
        wrongcall
      </span>
      <span className="program" title={session.program}>
        {session.name}
      </span>
      {session.growing && (
        <span className="live" role="status">
          <span className="live-dot" aria-hidden="true" />
          recording
        </span>
      )}
      <div className="progress">
        <div className="bar" aria-hidden="true">
          <div className="fill" style={{ width: `${Math.max(share * 100, session.suspects ? 1 : 0)}%` }} />
        </div>
        <span>
          <b>{session.suspects.toLocaleString("en")}</b> of {count(session.calls, "call")} suspect
          {left && <span className="quiet"> · {left}</span>}
        </span>
      </div>
      <label className="strategy">
        <span className="visually-hidden">Strategy</span>
        <select value={session.strategy} onChange={(event) => tell("strategy", { name: event.target.value })}>
          {session.strategies.map((each) => (
            <option key={each.name} value={each.name} title={each.about}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="head-button"
        aria-disabled={!session.can_undo}
        onClick={() => session.can_undo && tell("undo")}
        title="Undo the last answer"
      >
        ↶ Undo <Key>u</Key>
      </button>
      <button
        type="button"
        className="head-button"
        onClick={() => setTheme(theme === "dark" ? "light" : "dark")}
        aria-label={theme === "dark" ? "Light colours" : "Dark colours"}
      >
        {theme === "dark" ? "☀" : "☾"}
      </button>
      <button type="button" className="head-button" onClick={onHelp} aria-label="Keys">
        ?
      </button>
    </header>
  );
}

function Notices({ following, session }: { following: Following; session: Session }) {
  return (
    <div className="notices" aria-live="assertive">
      {following.lost && (
        <div className="notice error" role="alert">
          <Gone />
        </div>
      )}
      {session.unsaved && (
        <div className="notice error" role="alert">
          Can't save the answers: {session.unsaved}
        </div>
      )}
      {session.trouble && (
        <div className="notice error" role="alert">
          Can't read new events; retrying: {session.trouble}
        </div>
      )}
      {following.message && (
        <div className="notice error" role="alert">
          {following.message}{" "}
          <button type="button" className="small-button" onClick={following.dismiss}>
            Close
          </button>
        </div>
      )}
      {following.clash && (
        <div className="notice" role="alert">
          {following.clash.message}{" "}
          <button type="button" className="small-button" onClick={following.clash.again}>
            Replace the earlier answer
          </button>
          <button type="button" className="small-button" onClick={following.dismiss}>
            Leave it
          </button>
        </div>
      )}
    </div>
  );
}

function useTheme(): [string, (theme: string) => void] {
  const [theme, setTheme] = useState(() => {
    const chosen = window.localStorage.getItem("theme");
    return chosen ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const choose = (to: string) => {
    window.localStorage.setItem("theme", to);
    setTheme(to);
  };
  return [theme, choose];
}
