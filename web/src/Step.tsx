// The middle of the page: the question, a call somebody looks at, or what was found.

import type { ReactNode } from "react";
import {
  address,
  type Call,
  type Clash,
  type Finding,
  type Line,
  type Nothing,
  type Question,
  type Session,
  type Told,
  type Verdict,
  type Why,
} from "./api";
import { CallCard } from "./CallCard";
import { Group } from "./Group";
import type { Go, Place } from "./hooks";
import { Key } from "./marks";
import { Verdicts } from "./Verdicts";

export interface Acting {
  busy: boolean;
  place: Place | null;
  expecting: boolean;
  setExpecting: (on: boolean) => void;
  setPreview: (verdict: Verdict | null) => void;
  verdict: (verdict: Verdict, expected?: string) => void;
  /** Say that one call of a list is wrong. */
  wrong: (call: number) => void;
  onCall: (key: string, time?: number) => void;
  follow: (place: Place) => void;
  go: Go;
}

export function QuestionPanel({
  question,
  why,
  onWhy,
  acting,
}: {
  question: Question;
  why: boolean;
  onWhy: () => void;
  acting: Acting;
}) {
  const about = question.calls > 1 ? `${question.calls} calls` : question.call.where.function;
  return (
    <section className="step question" aria-label="Question" aria-live="polite">
      <header className="step-head">
        <p className="eyebrow">{question.again ? "Asked again" : "Question"}</p>
        <h1>
          {question.calls > 1 ? (
            groupTitle(question)
          ) : (
            <>
              Is this call to <code>{question.call.where.function}</code> right?
            </>
          )}
        </h1>
        <button type="button" className="link why-button" aria-expanded={why} onClick={onWhy}>
          Why this question? <Key>w</Key>
        </button>
        {why && <WhyText why={question.why} />}
      </header>
      <div className="step-body">
        {question.members.length > 0 ? (
          <Group question={question} acting={acting} />
        ) : (
          <CallCard
            call={question.call}
            place={acting.place}
            onPlace={(place) => acting.go({ place })}
            onFollow={acting.follow}
            onCall={acting.onCall}
          />
        )}
      </div>
      <Picked acting={acting} />
      <Verdicts
        name={about}
        why={question.why}
        place={question.calls > 1 ? null : acting.place}
        busy={acting.busy}
        expecting={acting.expecting}
        onExpecting={acting.setExpecting}
        onVerdict={acting.verdict}
        onPreview={acting.setPreview}
      />
    </section>
  );
}

function groupTitle(question: Question): string {
  const calls = question.calls.toLocaleString("en");
  return question.list ? `Are these ${calls} calls all right?` : `Are these ${calls} calls right?`;
}

function WhyText({ why }: { why: Partial<Why> }) {
  return (
    <div className="why">
      <p>{why.text}</p>
      <p className="quiet">
        {why.note ? `${why.note} ` : ""}Hover over an answer to see in the picture of the run what it rules out.
      </p>
    </div>
  );
}

/** What can be done with a value that was picked. */
function Picked({ acting }: { acting: Acting }) {
  const { place, go } = acting;
  if (!place) return null;
  return (
    <fieldset className="picked-bar" aria-label={`Picked: ${place.path}`}>
      <code>{place.path}</code>
      <button type="button" onClick={() => go({ tab: "history", view: "inside" })}>
        History <Key>h</Key>
      </button>
      <button type="button" onClick={() => go({ tab: "origin", view: "inside" })}>
        Where from? <Key>o</Key>
      </button>
      <button
        type="button"
        className="small-button"
        aria-label="Forget the picked value"
        onClick={() => go({ place: null })}
      >
        ×
      </button>
    </fieldset>
  );
}

function CallLine({ line, onCall, children }: { line: Line; onCall: Acting["onCall"]; children?: ReactNode }) {
  return (
    <button type="button" className="call-line" onClick={() => onCall(String(line.call))}>
      <span className="call-number">#{line.call}</span>
      <code>{line.title}</code>
      <code className="outcome-text">{line.outcome}</code>
      {children}
    </button>
  );
}

export function LookedAt({ call, session, acting }: { call: Call; session: Session; acting: Acting }) {
  const asking = session.step.kind === "question";
  return (
    <section className="step looked-at" aria-label="Call">
      <header className="step-head">
        <p className="eyebrow">Looking at call #{call.call}</p>
        <button type="button" className="back-button" onClick={() => acting.go({ key: "", time: null, place: null })}>
          ← {asking ? "Back to the question" : "Back"} <Key>g</Key>
        </button>
      </header>
      <div className="step-body">
        <CallCard
          call={call}
          place={acting.place}
          onPlace={(place) => acting.go({ place })}
          onFollow={acting.follow}
          onCall={acting.onCall}
        />
      </div>
      <Picked acting={acting} />
      <Verdicts
        name={call.where.function}
        why={null}
        place={acting.place}
        busy={acting.busy}
        expecting={acting.expecting}
        onExpecting={acting.setExpecting}
        onVerdict={acting.verdict}
        onPreview={() => undefined}
      />
    </section>
  );
}

interface FindingProps {
  finding: Finding;
  acting: Acting;
  onTell: (what: string) => void;
}

export function FindingPanel({ finding, acting, onTell }: FindingProps) {
  const { call } = finding;
  const expected = finding.evidence.findLast((told) => told.call === call?.call && told.expected)?.expected;
  return (
    <section className="step finding" aria-label="Finding" aria-live="polite">
      <header className="step-head">
        <p className="eyebrow">Found</p>
        <h1>{finding.headline}</h1>
        <p className="proof">{finding.summary}</p>
        {call && (
          <p className="quiet hint">
            Which value is wrong? Its <span aria-hidden="true">↖</span>
            <span className="visually-hidden">arrow</span> leads to the statement that made it.
          </p>
        )}
      </header>
      <div className="step-body">
        {call && (
          <CallCard
            call={call}
            place={acting.place}
            onPlace={(place) => acting.go({ place })}
            onFollow={acting.follow}
            onCall={acting.onCall}
          />
        )}
        {expected && (
          <section className="section" aria-label="It should have been">
            <h3>It should have been</h3>
            <pre className="printed">{expected}</pre>
          </section>
        )}
        <Listed title="Based on these answers" lines={finding.evidence} acting={acting} />
        <Listed title="Invalid calls" lines={finding.inadmissible} acting={acting} />
        <Listed
          title="Undecided; the bug may be in one of these instead. Choose one to judge it"
          lines={finding.undecided}
          acting={acting}
        />
        <Listed title="One of" lines={finding.members} acting={acting} />
      </div>
      <Picked acting={acting} />
      <fieldset className="verdicts" aria-label="What now?">
        <div className="verdict-row">
          {finding.confirmed ? (
            <span className="confirmed" role="status">
              ✓ Confirmed
            </span>
          ) : (
            <button
              type="button"
              className="verdict right"
              aria-disabled={acting.busy}
              onClick={() => onTell("confirm")}
            >
              <span>
                That is it <Key>y</Key>
              </span>
            </button>
          )}
          {!finding.confirmed && (
            <button
              type="button"
              className="verdict plain"
              aria-disabled={acting.busy}
              onClick={() => onTell("reject")}
            >
              <span>
                It is not <Key>n</Key>
              </span>
            </button>
          )}
          <button type="button" className="verdict plain" aria-disabled={acting.busy} onClick={() => onTell("go-on")}>
            Find another bug
          </button>
          <fieldset className="verdict plain reports" aria-label="Report">
            Report
            {["md", "html", "json"].map((format) => (
              <a key={format} href={address("report", { format })} download={`wrongcall-report.${format}`}>
                {format}
              </a>
            ))}
          </fieldset>
        </div>
      </fieldset>
    </section>
  );
}

function Listed({ title, lines, acting }: { title: string; lines: (Line & Partial<Told>)[]; acting: Acting }) {
  if (lines.length === 0) return null;
  return (
    <section className="section" aria-label={title}>
      <h3>{title}</h3>
      <ul className="call-lines">
        {lines.map((line) => (
          <li key={`${line.number ?? ""} ${line.call}`}>
            <CallLine line={line} onCall={acting.onCall}>
              {line.verdict && (
                <span className={`said ${line.verdict === "right" ? "right" : "wrong"}`}>
                  {line.verdict}
                  {line.part && `: ${line.part.path}`}
                </span>
              )}
            </CallLine>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function NothingPanel({
  step,
  session,
  acting,
  onTell,
}: {
  step: Nothing;
  session: Session;
  acting: Acting;
  onTell: (what: string) => void;
}) {
  const waiting = step.kind === "needs more";
  return (
    <section className="step nothing" aria-label="Result" aria-live="polite">
      <header className="step-head">
        <p className="eyebrow">{waiting ? "Waiting for the program" : "Nothing found"}</p>
        <h1>{waiting ? "No finished call is left to ask about" : "By these answers, no call is wrong"}</h1>
        <p className="proof">
          {waiting
            ? "The bug may be in calls that have not finished or not started. The next question appears automatically."
            : "If the result is still wrong, one of the answers is wrong: undo it, or judge a call in the tree."}
        </p>
      </header>
      <div className="step-body">
        <Listed title="Undecided" lines={step.undecided} acting={acting} />
      </div>
      <div className="verdicts">
        <div className="verdict-row">
          <button
            type="button"
            className="verdict plain"
            aria-disabled={!session.can_undo || acting.busy}
            onClick={() => session.can_undo && onTell("undo")}
          >
            <span>
              Undo the last answer <Key>u</Key>
            </span>
          </button>
        </div>
      </div>
    </section>
  );
}

export function ClashPanel({ step, acting, onTell }: { step: Clash; acting: Acting; onTell: (what: string) => void }) {
  return (
    <section className="step nothing" aria-label="Contradiction" aria-live="polite">
      <header className="step-head">
        <p className="eyebrow">Contradiction</p>
        <h1>These answers cannot all be right</h1>
        <p className="proof">Judge one of these calls again, or undo.</p>
      </header>
      <div className="step-body">
        <Listed title="Answers" lines={step.answers} acting={acting} />
      </div>
      <div className="verdicts">
        <div className="verdict-row">
          <button type="button" className="verdict plain" onClick={() => onTell("undo")}>
            <span>
              Undo the last answer <Key>u</Key>
            </span>
          </button>
        </div>
      </div>
    </section>
  );
}
