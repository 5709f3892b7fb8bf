// A call as it is put to an oracle: given, what came of it (returned, changed, printed), read.

import { type ReactNode, useState } from "react";
import type { Call, Change, Meanwhile, Value } from "./api";
import type { Place } from "./hooks";
import { count, ShadeSign } from "./marks";
import { aliasesOf, Follow, Parts, Pickable, type Picking, Twist, ValueTree } from "./Values";

interface Props {
  call: Call;
  place: Place | null;
  onPlace: (place: Place) => void;
  /** Go to where the value at a place was made. */
  onFollow: (place: Place) => void;
  onCall: (key: string, time?: number) => void;
}

const MAIN = "<module __main__>";
/** So much of what was read is shown unasked. */
const FEW = 6;
const CHANGE_SIGNS: Record<Change["kind"], string> = { changed: "~", added: "+", removed: "−", moved: "↷" };

export function CallCard({ call, place, onPlace, onFollow, onCall }: Props) {
  const after = call.exit >= 0 ? call.exit : call.time;
  const values = [...call.given, ...call.read, ...(call.produced ? [call.produced] : [])];
  const aliases = aliasesOf(values);
  const changed = new Set(call.changed.map((change) => change.place));
  const at = (side: string, path: string): Place => {
    return { path, side, of: call.call, at: side === "input" ? call.time : null };
  };
  const picks = (side: string) => ({
    picked: place?.side === side ? place.path : "",
    pick: (path: string) => onPlace(at(side, path)),
    follow: (path: string) => onFollow(at(side, path)),
  });
  const picking = (side: string, time: number): Picking => ({ ...picks(side), time, aliases });
  const input = { ...picking("input", call.time), changed };
  return (
    <div className="call-card">
      <h2 className="call-title">
        <ShadeSign shade={call.shade} />
        <code>{call.title}</code>
      </h2>
      <Doc text={call.doc} />
      <p className="where">
        {call.where.caller > 0 && (
          <>
            called by{" "}
            <button type="button" className="link" onClick={() => onCall(String(call.where.caller))}>
              <code>{call.where.caller_title === MAIN ? "the program" : call.where.caller_title}</code>
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
          <ul className={call.given.length > FEW ? "side-by-side" : ""}>
            {call.given.map((value) => (
              <ValueTree key={value.label} value={value} path={value.label} {...input} />
            ))}
          </ul>
        </Section>
      )}
      <Section title={OUTCOMES[call.outcome] ?? call.outcome} className={`outcome ${call.outcome.replace(" ", "-")}`}>
        {call.produced ? (
          <ul>
            <ValueTree value={produced(call, call.produced)} path="result" {...picking("outcome", after)} />
          </ul>
        ) : (
          <p className="quiet">
            {call.stopped?.text ?? (call.outcome === "not completed" ? "Still running." : "Nothing.")}
          </p>
        )}
        {call.stopped && call.stopped.inner > 0 && (
          <p className="quiet">
            waiting for{" "}
            <button type="button" className="link" onClick={() => onCall(String(call.stopped?.inner))}>
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
          <pre className="printed">{call.printed}</pre>
        </Section>
      )}
      <Others meanwhile={call.meanwhile} time={after} onCall={onCall} />
      {call.started && (
        <Section title="Started">
          <p>{call.started}</p>
        </Section>
      )}
      <Read call={call} input={input} />
      {call.variables.length > 0 && (
        <details className="section own">
          <summary>Own variables ({call.variables.length})</summary>
          <Changes changes={call.variables} {...picking("variable", after)} />
        </details>
      )}
    </div>
  );
}

/** What came out; if that is an argument, only which one: its changes are shown. */
function produced(call: Call, value: Value): Value {
  const same = call.given.find((given) => given.object !== 0 && given.object === value.object);
  return same && value.size > 0 ? { ...value, summary: `${same.label}, the same object` } : value;
}

/** What the function is meant to do: the first line of its docstring, the rest on demand. */
export function Doc({ text }: { text: string }) {
  const [first = "", ...rest] = text.trim().split("\n");
  const more = rest.join("\n").trim();
  if (!first) return null;
  if (!more) return <p className="doc">{first}</p>;
  return (
    <details className="doc">
      <summary>{first}</summary>
      <pre>{more}</pre>
    </details>
  );
}

/** What a call read: folded if it is long; constants always are. */
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
    <details className="section own">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

const OUTCOMES: Record<string, string> = {
  returned: "Returned",
  raised: "Raised",
  abandoned: "Abandoned",
  "not completed": "Not completed",
  "still running": "Still running",
  "never ended": "Never ended",
};

export function Lines({ title, values }: { title: string; values: Value[] }) {
  if (values.length === 0) return null;
  return (
    <Section title={title}>
      {values.map((value) => (
        <div key={value.label} className="value-line">
          <span className="label">{value.label}</span> <span className="summary">{value.summary}</span>
        </div>
      ))}
    </Section>
  );
}

export function Section({
  title,
  className = "",
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={`section ${className}`} aria-label={title}>
      <h3>{title}</h3>
      <div>{children}</div>
    </section>
  );
}

interface ChangesProps extends Picking {
  changes: Change[];
  /** How many there are, if more than these. */
  count?: number;
}

export function Changes({ changes, count: all = 0, ...picking }: ChangesProps) {
  return (
    <ul className="changes">
      {numbered(changes).map(({ number, change }) => (
        <ChangeLine key={number} change={change} picking={picking} />
      ))}
      {all > changes.length && (
        <li className="quiet">… and {(all - changes.length).toLocaleString("en")} more changes</li>
      )}
    </ul>
  );
}

/** A place may be changed more than once: each change has its number. */
function numbered(changes: Change[]) {
  return changes.map((change, number) => ({ number, change }));
}

/** A change; the object that is there now can be opened. */
function ChangeLine({ change, picking }: { change: Change; picking: Picking }) {
  const [open, setOpen] = useState(false);
  const { picked, follow } = picking;
  return (
    <li>
      <div className="change-line">
        <Twist path={change.place} open={open} onOpen={change.became ? setOpen : undefined} />
        <Pickable
          path={change.place}
          className={`change ${change.kind} ${picked === change.place ? "picked" : ""}`}
          {...picking}
        >
          <ChangeText change={change} />
        </Pickable>
        {follow && change.new && <Follow path={change.place} follow={follow} />}
      </div>
      {open && <Parts object={change.became} path={change.place} {...picking} />}
    </li>
  );
}

function Became({ old, now }: { old: string; now: string }) {
  return (
    <>
      {old && <del>{old}</del>}
      {old && now && (
        <span className="arrow" role="img" aria-label="became">
          →
        </span>
      )}
      {now && <ins>{now}</ins>}
    </>
  );
}

/** One of several times that a place was written, with others in between. */
function Run({ old, now, before }: { old: string; now: string; before: string }) {
  return (
    <>
      {before && <span className="quiet">{before}</span>}
      <Became old={old} now={now} />
    </>
  );
}

function runsOf(change: Change) {
  return change.runs.map(([old, now], number) => ({ number, old, now, before: between(change, number) }));
}

/** What stands before the i-th time that a place was written: the last but one may be left out. */
function between(change: Change, i: number): string {
  const leftOut = change.times - change.runs.length;
  if (i === 0) return "";
  return leftOut > 0 && i === change.runs.length - 1 ? `, … ${leftOut.toLocaleString("en")} more …, ` : ", ";
}

/** What others changed while a call ran: no part of what it is judged by. */
export function Others({ meanwhile, time, onCall }: OthersProps) {
  if (meanwhile.length === 0) return null;
  return (
    <details className="section own">
      <summary>Meanwhile, by others ({meanwhile.length})</summary>
      {meanwhile.map((other) => (
        <div key={other.call}>
          <p className="quiet">
            by{" "}
            {other.call ? (
              <button type="button" className="link" onClick={() => onCall(String(other.call))}>
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
  onCall: (call: string) => void;
}

function ChangeText({ change }: { change: Change }) {
  return (
    <>
      <span className="change-sign" role="img" aria-label={change.kind}>
        {CHANGE_SIGNS[change.kind]}
      </span>
      <span className="label">{change.place}</span>
      <span className="change-values">
        {change.runs.length === 0 && <Became old={change.old} now={change.new} />}
        {runsOf(change).map((run) => (
          <Run key={run.number} {...run} />
        ))}
        {change.kind === "moved" && <span className="note">moved from {change.origin}</span>}
      </span>
    </>
  );
}
