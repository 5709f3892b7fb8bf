// A call as it is put to an oracle.

import { Fragment, type ReactNode, useMemo } from "react";
import type { Call, Meanwhile, Value } from "../api";
import { type GroupPart, QUESTION_PARTS, type QuestionPart } from "../keys";
import { cx } from "../parts/cx";
import { count, StatusSign } from "../parts/marks";
import shared from "../parts/parts.module.css";
import type { PickedSide, Place } from "../state/location";
import { usePage } from "../state/page";
import { Changes, rowsOf } from "../values/Changes";
import {
  type Candidate,
  type FoldedSection,
  keyOf,
  UnfoldedProvider,
  useIsSectionUnfolded,
  useUnfolding,
} from "../values/unfolding";
import { aliasesOf, type Picking, ValueTree } from "../values/Values";
import valueStyles from "../values/values.module.css";
import { Pin } from "./Compare";
import styles from "./question.module.css";

/** Longer lists of what was read are folded. */
const FEW = 6;

export function CallCard({ call }: { call: Call }) {
  const { place, go, follow, look } = usePage();
  const after = call.exit >= 0 ? call.exit : call.time;
  const values = [...call.given, ...call.read, ...(call.produced ? [call.produced] : [])];
  const aliases = aliasesOf(values);
  const changed = new Set(call.changed.map((change) => change.place));
  const at = (side: PickedSide, path: string): Place => {
    return { path, side, of: call.call, at: side === "input" ? call.time : null };
  };
  const picks = (side: PickedSide) => ({
    picked: place?.side === side ? place.path : "",
    pick: (path: string) => go({ place: at(side, path) }),
    follow: (path: string) => follow(at(side, path)),
  });
  const picking = (side: PickedSide, time: number): Picking => {
    return { ...picks(side), side, call: call.call, time, against: side === "input" ? after : call.time, aliases };
  };
  const candidates = useMemo(() => candidatesOf(call), [call]);
  const sections = useMemo(() => sectionsOf(call), [call]);
  const { content, open } = useUnfolding(`${call.call} ${call.exit}`, candidates, sections);
  const input = { ...picking("input", call.time), changed };
  const parts: Record<QuestionPart, ReactNode> = {
    given: call.given.length > 0 && (
      <Section title={QUESTION_PARTS.given}>
        <ul className={call.given.length > FEW ? valueStyles.sideBySide : undefined}>
          {call.given.map((value) => (
            <ValueTree key={value.label} value={value} path={value.label} {...input} />
          ))}
        </ul>
      </Section>
    ),
    outcome: <Outcome call={call} picking={picking("outcome", after)} />,
    variables: <Lines title={QUESTION_PARTS.variables} values={call.stopped?.variables ?? []} />,
    yielded: <Lines title={QUESTION_PARTS.yielded} values={call.yielded} />,
    defined: <Lines title={QUESTION_PARTS.defined} values={call.defined} />,
    changed: call.changed.length > 0 && (
      <Section title={QUESTION_PARTS.changed}>
        <Changes changes={call.changed} count={call.changed_count} {...picking("effect", after)} />
      </Section>
    ),
    printed: <Printed title={QUESTION_PARTS.printed} text={call.printed} />,
    meanwhile: <Others title={QUESTION_PARTS.meanwhile} meanwhile={call.meanwhile} time={after} />,
    started: <Started title={QUESTION_PARTS.started} text={call.started} />,
    read: <Read values={call.read.slice(0, call.read.length - call.constants)} input={input} />,
    constants: <Constants values={call.read.slice(call.read.length - call.constants)} input={input} />,
    missing: call.unparsed && (
      <Section title={QUESTION_PARTS.missing}>
        <p>What it read and its docstring are not known: {call.unparsed}</p>
      </Section>
    ),
    locals: call.variables.length > 0 && (
      <Folded title={`${QUESTION_PARTS.locals} (${call.variables.length})`} section={LOCALS}>
        <Changes changes={call.variables} {...picking("variable", after)} />
      </Folded>
    ),
  };
  return (
    <UnfoldedProvider value={open}>
      <div data-testid="call-card" className={styles.callCard} ref={content}>
        <h2 className={styles.callTitle} data-testid="call-title">
          <StatusSign status={call.status} />
          <code>{call.title}</code>
        </h2>
        <Doc text={call.doc} />
        <p className={styles.where} data-testid="where">
          {call.where.caller > 0 && (
            <>
              called by{" "}
              <button
                type="button"
                className={shared.link}
                title={call.where.caller_title}
                onClick={() => look(String(call.where.caller))}
              >
                <code>{call.called_by_program ? "the program" : call.where.caller_title}</code>
              </button>
              {` at line ${call.where.caller_line} · `}
            </>
          )}
          <code>
            {call.where.file}:{call.where.line}
          </code>
          {" · call "}#{call.call}
          {call.process && ` · in ${call.process}`}
          {call.calls_below > 0 && ` · made ${count(call.calls_below, "call")}`}
        </p>
        <Pin call={call.call} />
        <InOrder of={QUESTION_PARTS} parts={parts} />
      </div>
    </UnfoldedProvider>
  );
}

/** The values that may be unfolded by themselves: what came out before what went in. */
function candidatesOf(call: Call): Candidate[] {
  const shown = (side: PickedSide, path: string, value: Value) => ({ key: keyOf(side, path), value, path, side });
  const read = call.read.slice(0, call.read.length - call.constants);
  const inputs = [...call.given, ...(read.length > FEW ? [] : read)];
  return [
    ...(call.produced ? [shown("outcome", call.result_name, produced(call, call.produced))] : []),
    ...inputs.map((value) => shown("input", value.label, value)),
  ];
}

/** Names of the sections that are folded unless there is room. */
const READ = "section read";
const LOCALS = "section locals";

function sectionsOf(call: Call): FoldedSection[] {
  const read = call.read.length - call.constants;
  return [
    ...(read > FEW ? [{ key: READ, rows: read }] : []),
    ...(call.variables.length > 0 ? [{ key: LOCALS, rows: rowsOf(call.variables) }] : []),
  ];
}

interface InOrderProps<Part extends QuestionPart | GroupPart> {
  /** All parts; the order is that of `present/question_parts.py`. */
  of: Record<Part, string>;
  parts: Partial<Record<NoInfer<Part>, ReactNode>>;
}

/** The parts of a question in their order. */
export function InOrder<Part extends QuestionPart | GroupPart>({ of, parts }: InOrderProps<Part>) {
  return (Object.keys(of) as Part[]).map((part) => <Fragment key={part}>{parts[part]}</Fragment>);
}

/** How a call ended, and with what. */
function Outcome({ call, picking }: { call: Call; picking: Picking }) {
  const { look } = usePage();
  return (
    <Section
      title={call.outcome.charAt(0).toUpperCase() + call.outcome.slice(1)}
      className={cx(styles.outcome, call.end === "raised" && styles.raised)}
      testId="outcome"
    >
      {call.produced ? (
        <ul>
          <ValueTree value={produced(call, call.produced)} path={call.result_name} {...picking} />
        </ul>
      ) : (
        <p className={shared.quiet}>
          {call.stopped?.text ?? (call.end === "not_completed" ? "Still running." : "Nothing.")}
        </p>
      )}
      {call.stopped && call.stopped.inner > 0 && (
        <p className={shared.quiet}>
          waiting for{" "}
          <button type="button" className={shared.link} onClick={() => look(String(call.stopped?.inner))}>
            #{call.stopped.inner}
          </button>{" "}
          {call.stopped.inner_title}
        </p>
      )}
    </Section>
  );
}

/** The result; of an argument that is returned only its name: its changes are shown. */
function produced(call: Call, value: Value): Value {
  const same = call.given.find((given) => given.object !== 0 && given.object === value.object);
  return same && value.size > 0 ? { ...value, summary: `${same.label}, the same object` } : value;
}

/** What the function is meant to do: the first line of its docstring, the rest on demand. */
export function Doc({ text }: { text: string }) {
  const [first = "", ...rest] = text.trim().split("\n");
  const more = rest.join("\n").trim();
  if (!first) return null;
  if (!more)
    return (
      <p className={styles.doc} data-testid="doc">
        {first}
      </p>
    );
  return (
    <details className={styles.doc} data-testid="doc">
      <summary>{first}</summary>
      <pre>{more}</pre>
    </details>
  );
}

/** What a call read and can change: folded if it is long. */
function Read({ values, input }: { values: Value[]; input: Picking }) {
  if (values.length === 0) return null;
  if (values.length > FEW)
    return (
      <Folded title={`${QUESTION_PARTS.read} (${values.length})`} section={READ}>
        <Values values={values} input={input} />
      </Folded>
    );
  return (
    <Section title={QUESTION_PARTS.read}>
      <Values values={values} input={input} />
    </Section>
  );
}

/** The constants that a call read: always folded. */
function Constants({ values, input }: { values: Value[]; input: Picking }) {
  if (values.length === 0) return null;
  return (
    <Folded title={`${QUESTION_PARTS.constants} (${values.length})`}>
      <Values values={values} input={input} />
    </Folded>
  );
}

function Values({ values, input }: { values: Value[]; input: Picking }) {
  return (
    <ul>
      {values.map((value) => (
        <ValueTree key={value.label} value={value} path={value.label} {...input} />
      ))}
    </ul>
  );
}

interface FoldedProps {
  title: string;
  /** Its name, if it opens by itself when there is room. */
  section?: string;
  children: ReactNode;
}

export function Folded({ title, section = "", children }: FoldedProps) {
  const hasRoom = useIsSectionUnfolded(section);
  return (
    <details className={cx(styles.section, styles.own)} data-testid="section" open={hasRoom}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** What was printed. */
export function Printed({ title, text }: { title: string; text: string }) {
  if (!text) return null;
  return (
    <Section title={title}>
      <pre className={shared.printed} data-testid="printed">
        {text}
      </pre>
    </Section>
  );
}

/** Which processes were started. */
export function Started({ title, text }: { title: string; text: string }) {
  if (!text) return null;
  return (
    <Section title={title}>
      <p>{text}</p>
    </Section>
  );
}

export function Lines({ title, values }: { title: string; values: Value[] }) {
  if (values.length === 0) return null;
  return (
    <Section title={title}>
      {values.map((value) => (
        <div key={value.label} className={valueStyles.valueLine}>
          <span className={valueStyles.label}>{value.label}</span>{" "}
          <span className={valueStyles.summary} data-testid="summary">
            {value.summary}
          </span>
        </div>
      ))}
    </Section>
  );
}

export function Section({
  title,
  className,
  testId = "section",
  children,
}: {
  title: string;
  className?: string;
  testId?: string;
  children: ReactNode;
}) {
  return (
    <section className={cx(styles.section, className)} data-testid={testId} aria-label={title}>
      <h3>{title}</h3>
      <div>{children}</div>
    </section>
  );
}

/** What others changed while a call ran: the call is not judged by it. */
export function Others({ title, meanwhile, time }: OthersProps) {
  const { look } = usePage();
  if (meanwhile.length === 0) return null;
  return (
    <Folded title={`${title} (${meanwhile.length})`}>
      {meanwhile.map((other) => (
        <div key={other.call}>
          <p className={shared.quiet}>
            by{" "}
            {other.call ? (
              <button type="button" className={shared.link} onClick={() => look(String(other.call))}>
                {other.by}
              </button>
            ) : (
              other.by
            )}
          </p>
          <Changes changes={other.changed} count={other.count} time={time} />
        </div>
      ))}
    </Folded>
  );
}

interface OthersProps {
  title: string;
  meanwhile: Meanwhile[];
  time: number;
}
