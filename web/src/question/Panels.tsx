// The middle of the page: the question, a call that is looked at, or how the search ended.

import type { ReactNode } from "react";
import type { Call, Contradiction, Finding, GivenAnswer, Line, NothingFound, Question } from "../api";
import { address } from "../client";
import { SourcePanel } from "../inspector/SourcePanel";
import { BUTTONS, FINDING_BUTTONS, KEYS, SAID } from "../keys";
import { cx } from "../parts/cx";
import { Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { CallCard, Printed } from "./CallCard";
import { CallLine } from "./CallLine";
import { Group } from "./Group";
import { InsidePanel, Proof, StatementCard } from "./Inside";
import styles from "./question.module.css";
import { Coded, Picked, Step, WhyAsked } from "./Step";
import { Verdicts } from "./Verdicts";

const REPORTS = ["md", "html", "json"];

export function QuestionPanel({ question }: { question: Question }) {
  if (question.inside) return <InsidePanel question={question} inside={question.inside} />;
  return <CallPanel question={question} />;
}

function CallPanel({ question }: { question: Question }) {
  const isGroup = question.calls > 1;
  const head = (
    <>
      <h1>
        {isGroup ? (
          groupTitle(question)
        ) : (
          <>
            Is this call to <code>{question.call.where.function}</code> right?
          </>
        )}
      </h1>
      <WhyAsked why={question.why} opinions={question.opinions} previews />
    </>
  );
  return (
    <Step
      kind="question"
      label="Question"
      className={styles.question}
      eyebrow={question.again ? "Asked again" : "Question"}
      head={head}
      body={question.members.length > 0 ? <Group question={question} /> : <CallCard call={question.call} />}
    >
      <Picked />
      <Verdicts
        name={isGroup ? `${question.calls} calls` : question.call.where.function}
        why={question.why}
        hasParts={!isGroup}
        hasInside={!isGroup}
        previews
      />
    </Step>
  );
}

function groupTitle(question: Question): string {
  const calls = question.calls.toLocaleString("en");
  return question.list ? `Are these ${calls} calls all right?` : `Are these ${calls} calls right?`;
}

export function LookedAt({ call }: { call: Call }) {
  const { session, go } = usePage();
  const back = (
    <button type="button" className={styles.backButton} onClick={() => go({ key: "", time: null, place: null })}>
      ← {session.step.kind === "question" ? BUTTONS.back : "Back"} <Key>{KEYS.back}</Key>
    </button>
  );
  return (
    <Step
      kind="looked-at"
      label="Call"
      className={styles.lookedAt}
      eyebrow={`Looking at call #${call.call}`}
      head={back}
      body={<CallCard call={call} />}
    >
      <Picked />
      <Verdicts name={call.where.function} why={null} hasParts hasInside previews={false} />
    </Step>
  );
}

export function FindingPanel({ finding }: { finding: Finding }) {
  const { call, statement } = finding;
  const expected = finding.evidence.findLast((given) => given.call === call?.call && given.expected)?.expected;
  const head = (
    <>
      <h1>
        <Coded text={finding.headline} />
      </h1>
      {statement && <Proof statement={statement} />}
      {!statement && <p className={styles.proof}>{finding.summary}</p>}
      {call && !statement && (
        <p className={shared.quiet}>
          Which value is wrong? Its <span aria-hidden="true">↖</span>
          <span className={shared.visuallyHidden}>arrow</span> leads to the statement that made it.
        </p>
      )}
    </>
  );
  const body = (
    <>
      {statement && <StatementCard statement={statement} />}
      {statement && <p className={styles.summary}>{finding.summary}</p>}
      {call && <CallCard call={call} />}
      <Printed title="It should have been" text={expected ?? ""} />
      <Answers title="Based on these answers" answers={finding.evidence} />
      <Listed title="Invalid calls" lines={finding.inadmissible} />
      <Listed
        title="Undecided; the bug may be in one of these instead. Choose one to judge it"
        lines={finding.undecided}
      />
      <Listed title="One of" lines={finding.members} />
    </>
  );
  return (
    <Step
      kind="finding"
      label="Finding"
      className={styles.finding}
      eyebrow="Found"
      head={head}
      source={call && <SourcePanel lines={finding.lines} className={styles.findingSource} />}
      body={body}
    >
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
    </Step>
  );
}

/** Whether the finding is the bug, and what to do next. */
function Decision({ finding }: { finding: Finding }) {
  const { tell } = usePage();
  return (
    <>
      {finding.confirmed && (
        <span className={styles.confirmed} data-testid="confirmed" role="status">
          ✓ Confirmed
        </span>
      )}
      {!finding.confirmed && (
        <>
          <Decide
            text={FINDING_BUTTONS.yes}
            shortcut={KEYS.yes}
            className={styles.right}
            decide={() => tell({ path: "session/confirm", sent: {} })}
          />
          <Decide
            text={FINDING_BUTTONS.no}
            shortcut={KEYS.no}
            decide={() => tell({ path: "session/reject", sent: {} })}
          />
        </>
      )}
      {finding.can_go_inside && (
        <Decide
          text={BUTTONS.inside}
          shortcut={KEYS.inside}
          decide={() => tell({ path: "session/inside", sent: { key: finding.key } })}
        />
      )}
      <Decide text={FINDING_BUTTONS.another} decide={() => tell({ path: "session/go-on", sent: {} })} />
    </>
  );
}

interface DecideProps {
  text: string;
  shortcut?: string;
  className?: string | undefined;
  disabled?: boolean;
  decide: () => void;
}

function Decide({ text, shortcut, className, disabled = false, decide }: DecideProps) {
  const { following } = usePage();
  return (
    <button
      type="button"
      className={cx(styles.verdict, className)}
      aria-disabled={disabled || following.busy}
      onClick={decide}
    >
      <span>
        {text} {shortcut && <Key>{shortcut}</Key>}
      </span>
    </button>
  );
}

function Answers({ title, answers }: { title: string; answers: GivenAnswer[] }) {
  return (
    <Titled title={title} isEmpty={answers.length === 0}>
      {answers.map((given) => (
        <li key={given.number}>
          <CallLine line={given}>
            <span
              className={cx(styles.said, given.verdict === "right" ? styles.right : styles.wrong)}
              title={given.author && given.by}
            >
              {SAID[given.verdict]}
              {given.part && `: ${given.part.path}`}
              {given.author}
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
  const head = (
    <>
      <h1>{waiting ? "No finished call is left to ask about" : "By these answers, no call is wrong"}</h1>
      <p className={styles.proof}>
        {waiting
          ? "The bug may be in calls that have not finished or not started. The next question appears automatically."
          : "If the result is still wrong, one of the answers is wrong: undo it, or judge a call in the tree."}
      </p>
    </>
  );
  return (
    <Step
      kind="nothing"
      label="Result"
      className={styles.nothing}
      eyebrow={waiting ? "Waiting for the program" : "Nothing found"}
      head={head}
      body={<Listed title="Undecided" lines={step.undecided} />}
    >
      <UndoBar />
    </Step>
  );
}

export function ContradictionPanel({ step }: { step: Contradiction }) {
  const head = (
    <>
      <h1>These answers cannot all be right</h1>
      <p className={styles.proof}>Judge one of these calls again, or undo.</p>
    </>
  );
  return (
    <Step
      kind="nothing"
      label="Contradiction"
      className={styles.nothing}
      eyebrow="Contradiction"
      head={head}
      body={<Answers title="Answers" answers={step.answers} />}
    >
      <UndoBar />
    </Step>
  );
}

function UndoBar() {
  const { session, tell } = usePage();
  const undo = () => session.can_undo && tell({ path: "session/undo", sent: {} });
  return (
    <div className={styles.verdicts}>
      <div className={styles.verdictRow}>
        <Decide text={BUTTONS.undo} shortcut={KEYS.undo} disabled={!session.can_undo} decide={undo} />
      </div>
    </div>
  );
}
