// The search inside a call: the state at a boundary, and the statement that was found.

import { useMemo } from "react";
import type { InsideQuestion, Question, StatementView, Value } from "../api";
import { SourcePanel } from "../inspector/SourcePanel";
import { QUESTION_PARTS } from "../keys";
import shared from "../parts/parts.module.css";
import type { Place } from "../state/location";
import { usePage } from "../state/page";
import { Changes } from "../values/Changes";
import { keyOf, UnfoldedProvider, useUnfolding } from "../values/unfolding";
import { type Picking, ValueTree } from "../values/Values";
import { Printed, Section } from "./CallCard";
import { CallLine } from "./CallLine";
import styles from "./question.module.css";
import { Coded, Picked, Step, WhyAsked } from "./Step";
import { Verdicts } from "./Verdicts";

/** Is all right up to a boundary inside a call? */
export function InsidePanel({ question, inside }: { question: Question; inside: InsideQuestion }) {
  const { location, go } = usePage();
  const lines = useMemo(() => [inside.line], [inside.line]);
  const head = (
    <>
      <h1>
        <Coded text={inside.heading} />
        <br />
        Is everything right up to here?
      </h1>
      <Around rounds={inside.rounds} title={inside.title} />
      <WhyAsked why={question.why} opinions={question.opinions} previews={false} />
    </>
  );
  const body = (
    <>
      {location.time !== inside.time && (
        <p>
          <button type="button" className={shared.link} onClick={() => go({ time: inside.time })}>
            Show the source at this time
          </button>
        </p>
      )}
      <StateCard inside={inside} />
      <p className={styles.where}>{inside.found}</p>
    </>
  );
  return (
    <Step
      kind="question"
      label="Question"
      className={styles.question}
      eyebrow={
        <>
          {question.again ? "Asked again" : "Question"} inside{" "}
          <code title={question.call.where.function}>
            {question.call.where.function} #{inside.call}
          </code>
        </>
      }
      head={head}
      source={<SourcePanel lines={lines} className={styles.findingSource} />}
      body={body}
    >
      <Picked />
      <Verdicts name="everything up to here" why={question.why} hasParts hasInside={false} isInside previews={false} />
    </Step>
  );
}

/** The rounds and the call that something happened in, the innermost first. */
function Around({ rounds, title }: { rounds: string[]; title: string }) {
  return (
    <ul className={styles.around} data-testid="around">
      {rounds.map((round) => (
        <li key={round}>
          in <Coded text={round} />
        </li>
      ))}
      {title && (
        <li>
          in <code>{title}</code>
        </li>
      )}
    </ul>
  );
}

/** What an execution changed, and the state after it. */
function StateCard({ inside }: { inside: InsideQuestion }) {
  const picking = usePicking(inside.call, inside.time);
  const candidates = useMemo(() => candidatesOf(inside.variables), [inside.variables]);
  const { content, open } = useUnfolding(`${inside.call} ${inside.boundary}`, candidates);
  const isSilent = inside.changed.length === 0 && !inside.printed && inside.bound.length === 0;
  return (
    <UnfoldedProvider value={open}>
      <div data-testid="state-card" ref={content}>
        <Texts title="Bound" texts={inside.bound} />
        {inside.calls.length > 0 && (
          <Section title="Called">
            {inside.calls.map((line) => (
              <CallLine key={line.call} line={line} />
            ))}
          </Section>
        )}
        {(inside.changed.length > 0 || isSilent) && (
          <Section title={QUESTION_PARTS.changed}>
            {isSilent && <p className={shared.quiet}>Nothing.</p>}
            <Changes changes={inside.changed} count={inside.changed_count} {...picking} />
          </Section>
        )}
        <Printed title={QUESTION_PARTS.printed} text={inside.printed} />
        <Texts title="Ended" texts={inside.outcome ? [inside.outcome] : []} />
        <Values title="State" values={inside.variables} picking={picking} />
      </div>
    </UnfoldedProvider>
  );
}

function candidatesOf(values: Value[]) {
  return values.map((value) => ({
    key: keyOf("effect", value.label),
    value,
    path: value.label,
    side: "effect" as const,
  }));
}

/** How values at a time inside a call are picked: a picked one can be called wrong. */
function usePicking(call: number, time: number): Picking {
  const { place, go, follow } = usePage();
  const at = (path: string): Place => ({ path, side: "effect", of: call, at: time });
  return {
    side: "effect",
    call,
    time,
    picked: place?.side === "effect" ? place.path : "",
    pick: (path) => go({ place: at(path) }),
    follow: (path) => follow(at(path)),
  };
}

function Texts({ title, texts }: { title: string; texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <Section title={title}>
      {texts.map((text) => (
        <p key={text}>
          <code>{text}</code>
        </p>
      ))}
    </Section>
  );
}

function Values({ title, values, picking }: { title: string; values: Value[]; picking: Picking }) {
  if (values.length === 0) return null;
  return (
    <Section title={title}>
      <ul>
        {values.map((value) => (
          <ValueTree key={value.label} value={value} path={value.label} {...picking} />
        ))}
      </ul>
    </Section>
  );
}

/** Why it must be this statement. */
export function Proof({ statement }: { statement: StatementView }) {
  return (
    <>
      <Around rounds={statement.rounds} title="" />
      {statement.what && (
        <p className={styles.proof}>
          <Coded text={statement.what} />
        </p>
      )}
      <p className={styles.proof} data-testid="proof">
        <Coded text={statement.why} />
      </p>
    </>
  );
}

/** The statement that was found: what it read, what it wrote, and the answers that it rests on. */
export function StatementCard({ statement }: { statement: StatementView }) {
  const { location, go } = usePage();
  const picking = usePicking(statement.call, statement.time);
  return (
    <div data-testid="statement-card">
      <h2 className={styles.callTitle}>
        <code>{statement.source}</code>
      </h2>
      <p className={styles.where}>
        <code>{statement.place}</code>
        {location.time !== statement.time && (
          <>
            {" · "}
            <button type="button" className={shared.link} onClick={() => go({ time: statement.time })}>
              Show the source at this time
            </button>
          </>
        )}
      </p>
      <Values title="It read" values={statement.read} picking={picking} />
      {statement.changed.length > 0 && (
        <Section title="It wrote">
          <Changes changes={statement.changed} {...picking} />
        </Section>
      )}
      <Texts title="Ended" texts={statement.outcome ? [statement.outcome] : []} />
      <Reasons title="Based on these answers inside the call" texts={statement.reasons} />
      <Reasons title="Undecided; the bug may be there instead" texts={statement.undecided} />
    </div>
  );
}

function Reasons({ title, texts }: { title: string; texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <Section title={title}>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <Coded text={text} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
