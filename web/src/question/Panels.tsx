// The middle of the page: the question, a call that is looked at, or how the search ended.

import type { ReactNode } from "react";
import type { Call, Contradiction, Finding, GivenAnswer, Line, NothingFound, Question, Verdict, Why } from "../api";
import { address } from "../client";
import { cx } from "../parts/cx";
import { Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { CallCard } from "./CallCard";
import { CallLine } from "./CallLine";
import { Group } from "./Group";
import styles from "./question.module.css";
import { Verdicts } from "./Verdicts";

const REPORTS = ["md", "html", "json"];

const SAID: Record<Verdict, string> = {
  right: "right",
  wrong: "wrong",
  dont_know: "don’t know",
  trust_function: "trust function",
  trust_module: "trust module",
  inadmissible: "invalid call",
  wrong_part: "this part is wrong",
};

export function QuestionPanel({ question }: { question: Question }) {
  const { open, dispatch } = usePage();
  const isGroup = question.calls > 1;
  return (
    <section
      className={cx(shared.panel, styles.step, styles.question)}
      data-testid="step"
      data-kind="question"
      aria-label="Question"
      aria-live="polite"
    >
      <header className={styles.stepHead}>
        <p className={styles.eyebrow}>{question.again ? "Asked again" : "Question"}</p>
        <h1>
          {isGroup ? (
            groupTitle(question)
          ) : (
            <>
              Is this call to <code>{question.call.where.function}</code> right?
            </>
          )}
        </h1>
        <button
          type="button"
          className={cx(shared.link, styles.whyButton)}
          aria-expanded={open.why}
          onClick={() => dispatch({ type: "why toggled" })}
        >
          Why this question? <Key>w</Key>
        </button>
        {open.why && question.why && <WhyText why={question.why} />}
      </header>
      <div className={styles.stepBody}>
        {question.members.length > 0 ? <Group question={question} /> : <CallCard call={question.call} />}
      </div>
      <Picked />
      <Verdicts
        name={isGroup ? `${question.calls} calls` : question.call.where.function}
        why={question.why}
        hasParts={!isGroup}
        previews
      />
    </section>
  );
}

function groupTitle(question: Question): string {
  const calls = question.calls.toLocaleString("en");
  return question.list ? `Are these ${calls} calls all right?` : `Are these ${calls} calls right?`;
}

function WhyText({ why }: { why: Why }) {
  return (
    <div className={styles.why} data-testid="why">
      <p>{why.text}</p>
      <p className={shared.quiet}>
        {why.note ? `${why.note} ` : ""}Point at an answer to see in the picture of the run what it rules out.
      </p>
    </div>
  );
}

/** What can be done with the picked value. */
function Picked() {
  const { place, go } = usePage();
  if (!place) return null;
  return (
    <fieldset className={styles.pickedBar} data-testid="picked-bar" aria-label={`Picked: ${place.path}`}>
      <code>{place.path}</code>
      <button type="button" onClick={() => go({ tab: "history", view: "inside" })}>
        History <Key>h</Key>
      </button>
      <button type="button" onClick={() => go({ tab: "origin", view: "inside" })}>
        Where from? <Key>o</Key>
      </button>
      <button
        type="button"
        className={shared.smallButton}
        aria-label="Clear the picked value"
        onClick={() => go({ place: null })}
      >
        ×
      </button>
    </fieldset>
  );
}

export function LookedAt({ call }: { call: Call }) {
  const { session, go } = usePage();
  return (
    <section
      className={cx(shared.panel, styles.step, styles.lookedAt)}
      data-testid="step"
      data-kind="looked-at"
      aria-label="Call"
    >
      <header className={styles.stepHead}>
        <p className={styles.eyebrow}>Looking at call #{call.call}</p>
        <button type="button" className={styles.backButton} onClick={() => go({ key: "", time: null, place: null })}>
          ← {session.step.kind === "question" ? "Back to the question" : "Back"} <Key>g</Key>
        </button>
      </header>
      <div className={styles.stepBody}>
        <CallCard call={call} />
      </div>
      <Picked />
      <Verdicts name={call.where.function} why={null} hasParts previews={false} />
    </section>
  );
}

export function FindingPanel({ finding }: { finding: Finding }) {
  const { call } = finding;
  const expected = finding.evidence.findLast((given) => given.call === call?.call && given.expected)?.expected;
  return (
    <section
      className={cx(shared.panel, styles.step, styles.finding)}
      data-testid="step"
      data-kind="finding"
      aria-label="Finding"
      aria-live="polite"
    >
      <header className={styles.stepHead}>
        <p className={styles.eyebrow}>Found</p>
        <h1>{finding.headline}</h1>
        <p className={styles.proof}>{finding.summary}</p>
        {call && (
          <p className={shared.quiet}>
            Which value is wrong? Its <span aria-hidden="true">↖</span>
            <span className={shared.visuallyHidden}>arrow</span> leads to the statement that made it.
          </p>
        )}
      </header>
      <div className={styles.stepBody}>
        {call && <CallCard call={call} />}
        {expected && (
          <section className={styles.section} aria-label="It should have been">
            <h3>It should have been</h3>
            <pre className={shared.printed} data-testid="printed">
              {expected}
            </pre>
          </section>
        )}
        <Answers title="Based on these answers" answers={finding.evidence} />
        <Listed title="Invalid calls" lines={finding.inadmissible} />
        <Listed
          title="Undecided; the bug may be in one of these instead. Choose one to judge it"
          lines={finding.undecided}
        />
        <Listed title="One of" lines={finding.members} />
      </div>
      <Picked />
      <fieldset className={styles.verdicts} aria-label="What now?">
        <div className={styles.verdictRow}>
          <Decision finding={finding} />
          <fieldset className={cx(styles.verdict, styles.reports)} aria-label="Report">
            Report
            {REPORTS.map((format) => (
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

/** Whether the finding is the bug, and what to do next. */
function Decision({ finding }: { finding: Finding }) {
  const { following, tell } = usePage();
  const { busy } = following;
  return (
    <>
      {finding.confirmed && (
        <span className={styles.confirmed} data-testid="confirmed" role="status">
          ✓ Confirmed
        </span>
      )}
      {!finding.confirmed && (
        <>
          <button
            type="button"
            className={cx(styles.verdict, styles.right)}
            aria-disabled={busy}
            onClick={() => tell({ path: "session/confirm", sent: {} })}
          >
            <span>
              That is it <Key>y</Key>
            </span>
          </button>
          <button
            type="button"
            className={styles.verdict}
            aria-disabled={busy}
            onClick={() => tell({ path: "session/reject", sent: {} })}
          >
            <span>
              It is not <Key>n</Key>
            </span>
          </button>
        </>
      )}
      <button
        type="button"
        className={styles.verdict}
        aria-disabled={busy}
        onClick={() => tell({ path: "session/go-on", sent: {} })}
      >
        Find another bug
      </button>
    </>
  );
}

function Answers({ title, answers }: { title: string; answers: GivenAnswer[] }) {
  return (
    <Titled title={title} isEmpty={answers.length === 0}>
      {answers.map((given) => (
        <li key={given.number}>
          <CallLine line={given}>
            <span className={cx(styles.said, given.verdict === "right" ? styles.right : styles.wrong)}>
              {SAID[given.verdict]}
              {given.part && `: ${given.part.path}`}
            </span>
          </CallLine>
        </li>
      ))}
    </Titled>
  );
}

function Listed({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <Titled title={title} isEmpty={lines.length === 0}>
      {lines.map((line) => (
        <li key={line.call}>
          <CallLine line={line} />
        </li>
      ))}
    </Titled>
  );
}

function Titled({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  if (isEmpty) return null;
  return (
    <section className={styles.section} aria-label={title}>
      <h3>{title}</h3>
      <ul className={styles.callLines}>{children}</ul>
    </section>
  );
}

export function NothingPanel({ step }: { step: NothingFound }) {
  const waiting = step.kind === "needs_more_tree";
  return (
    <section
      className={cx(shared.panel, styles.step, styles.nothing)}
      data-testid="step"
      data-kind="nothing"
      aria-label="Result"
      aria-live="polite"
    >
      <header className={styles.stepHead}>
        <p className={styles.eyebrow}>{waiting ? "Waiting for the program" : "Nothing found"}</p>
        <h1>{waiting ? "No finished call is left to ask about" : "By these answers, no call is wrong"}</h1>
        <p className={styles.proof}>
          {waiting
            ? "The bug may be in calls that have not finished or not started. The next question appears automatically."
            : "If the result is still wrong, one of the answers is wrong: undo it, or judge a call in the tree."}
        </p>
      </header>
      <div className={styles.stepBody}>
        <Listed title="Undecided" lines={step.undecided} />
      </div>
      <UndoBar />
    </section>
  );
}

export function ContradictionPanel({ step }: { step: Contradiction }) {
  return (
    <section
      className={cx(shared.panel, styles.step, styles.nothing)}
      data-testid="step"
      data-kind="nothing"
      aria-label="Contradiction"
      aria-live="polite"
    >
      <header className={styles.stepHead}>
        <p className={styles.eyebrow}>Contradiction</p>
        <h1>These answers cannot all be right</h1>
        <p className={styles.proof}>Judge one of these calls again, or undo.</p>
      </header>
      <div className={styles.stepBody}>
        <Answers title="Answers" answers={step.answers} />
      </div>
      <UndoBar />
    </section>
  );
}

function UndoBar() {
  const { session, following, tell } = usePage();
  return (
    <div className={styles.verdicts}>
      <div className={styles.verdictRow}>
        <button
          type="button"
          className={styles.verdict}
          aria-disabled={!session.can_undo || following.busy}
          onClick={() => session.can_undo && tell({ path: "session/undo", sent: {} })}
        >
          <span>
            Undo the last answer <Key>u</Key>
          </span>
        </button>
      </div>
    </div>
  );
}
