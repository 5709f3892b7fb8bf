// A call as it is put to an oracle: given, outcome (returned, changed, printed), read.

import type { ReactNode } from "react";
import type { Call, CallEnd, Meanwhile, Value } from "../api";
import { cx } from "../parts/cx";
import { count, StatusSign } from "../parts/marks";
import shared from "../parts/parts.module.css";
import type { PickedSide, Place } from "../state/location";
import { usePage } from "../state/page";
import { Changes } from "../values/Changes";
import { aliasesOf, type Picking, ValueTree } from "../values/Values";
import valueStyles from "../values/values.module.css";
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
  const picking = (side: PickedSide, time: number): Picking => ({ ...picks(side), time, aliases });
  const input = { ...picking("input", call.time), changed };
  return (
    <div data-testid="call-card">
      <h2 className={styles.callTitle} data-testid="call-title">
        <StatusSign status={call.status} />
        <code>{call.title}</code>
      </h2>
      <Doc text={call.doc} />
      <p className={styles.where} data-testid="where">
        {call.where.caller > 0 && (
          <>
            called by{" "}
            <button type="button" className={shared.link} onClick={() => look(String(call.where.caller))}>
              <code>{call.called_by_program ? "the program" : call.where.caller_title}</code>
            </button>
            {` at line ${call.where.caller_line} · `}
          </>
        )}
        <code>
          {call.where.file}:{call.where.line}
        </code>
        {" · call "}#{call.call}
        {call.calls_below > 0 && ` · made ${count(call.calls_below, "call")}`}
      </p>
      {call.given.length > 0 && (
        <Section title="Given">
          <ul className={call.given.length > FEW ? valueStyles.sideBySide : undefined}>
            {call.given.map((value) => (
              <ValueTree key={value.label} value={value} path={value.label} {...input} />
            ))}
          </ul>
        </Section>
      )}
      <Section
        title={ENDS[call.end]}
        className={cx(styles.outcome, call.end === "raised" && styles.raised)}
        testId="outcome"
      >
        {call.produced ? (
          <ul>
            <ValueTree value={produced(call, call.produced)} path="result" {...picking("outcome", after)} />
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
      <Lines title="Variables" values={call.stopped?.variables ?? []} />
      <Lines title="Yielded" values={call.yielded} />
      <Lines title="Defined" values={call.defined} />
      {call.changed.length > 0 && (
        <Section title="Changed">
          <Changes changes={call.changed} count={call.changed_count} {...picking("effect", after)} />
        </Section>
      )}
      {call.printed && (
        <Section title="Printed">
          <pre className={shared.printed} data-testid="printed">
            {call.printed}
          </pre>
        </Section>
      )}
      <Others meanwhile={call.meanwhile} time={after} />
      {call.started && (
        <Section title="Started">
          <p>{call.started}</p>
        </Section>
      )}
      <Read call={call} input={input} />
      {call.variables.length > 0 && (
        <details className={cx(styles.section, styles.own)} data-testid="section">
          <summary>Local variables ({call.variables.length})</summary>
          <Changes changes={call.variables} {...picking("variable", after)} />
        </details>
      )}
    </div>
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

/** What a call read: folded if it is long. Constants always are. */
function Read({ call, input }: { call: Call; input: Picking }) {
  const changing = call.read.slice(0, call.read.length - call.constants);
  const constants = call.read.slice(changing.length);
  const values = (some: Value[]) => (
    <ul>
      {some.map((value) => (
        <ValueTree key={value.label} value={value} path={value.label} {...input} />
      ))}
    </ul>
  );
  return (
    <>
      {changing.length > 0 && changing.length <= FEW && <Section title="Read">{values(changing)}</Section>}
      {changing.length > FEW && <Folded title={`Read (${changing.length})`}>{values(changing)}</Folded>}
      {constants.length > 0 && <Folded title={`Constants (${constants.length})`}>{values(constants)}</Folded>}
    </>
  );
}

export function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={cx(styles.section, styles.own)} data-testid="section">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

const ENDS: Record<CallEnd, string> = {
  returned: "Returned",
  raised: "Raised",
  abandoned: "Abandoned",
  not_completed: "Not completed",
  still_running: "Still running",
  never_ended: "Never ended",
};

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
export function Others({ meanwhile, time }: OthersProps) {
  const { look } = usePage();
  if (meanwhile.length === 0) return null;
  return (
    <details className={cx(styles.section, styles.own)} data-testid="section">
      <summary>Meanwhile, by others ({meanwhile.length})</summary>
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
    </details>
  );
}

interface OthersProps {
  meanwhile: Meanwhile[];
  time: number;
}
