// A call as it is put to an oracle: given, returned, changed, printed.

import { type ReactNode, useState } from "react";
import type { Call, Change, Meanwhile, Value } from "./api";
import type { Place } from "./hooks";
import { ShadeSign } from "./marks";
import { aliasesOf, Follow, Parts, Pickable, type Picking, Twist, ValueTree } from "./Values";

interface Props {
  call: Call;
  place: Place | null;
  onPlace: (place: Place) => void;
  /** Go to where the value at a place was made. */
  onFollow: (place: Place) => void;
  onCall: (key: string, time?: number) => void;
}

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
      <p className="where">
        <code>
          {call.where.file}:{call.where.line}
        </code>
        {call.where.caller > 0 && (
          <>
            {" · called at line "}
            {call.where.caller_line} of {call.where.caller_function} by{" "}
            <button type="button" className="link" onClick={() => onCall(String(call.where.caller))}>
              #{call.where.caller}
            </button>
          </>
        )}
        {" · call "}#{call.call}
        {call.calls_below > 0 && ` · made ${call.calls_below.toLocaleString("en")} below`}
      </p>
      {call.given.length > 0 && (
        <Section title="Given">
          <ul>
            {call.given.map((value) => (
              <ValueTree key={value.label} value={value} path={value.label} {...input} />
            ))}
          </ul>
        </Section>
      )}
      {call.read.length > 0 && (
        <Section title="Read">
          <ul>
            {call.read.map((value) => (
              <ValueTree key={value.label} value={value} path={value.label} {...input} />
            ))}
          </ul>
        </Section>
      )}
      <Section title={OUTCOMES[call.outcome] ?? call.outcome} className={`outcome ${call.outcome.replace(" ", "-")}`}>
        {call.produced ? (
          <ul>
            <ValueTree value={call.produced} path="result" {...picking("outcome", after)} />
          </ul>
        ) : (
          <p className="quiet">{call.stopped?.text ?? (call.outcome === "not completed" ? "It is still running." : "Nothing.")}</p>
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
      {call.variables.length > 0 && (
        <details className="section own">
          <summary>Own variables ({call.variables.length})</summary>
          <Changes changes={call.variables} {...picking("variable", after)} />
        </details>
      )}
    </div>
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

export function Changes({ changes, count = 0, ...picking }: ChangesProps) {
  return (
    <ul className="changes">
      {numbered(changes).map(({ number, change }) => (
        <ChangeLine key={number} change={change} picking={picking} />
      ))}
      {count > changes.length && (
        <li className="quiet">… and {(count - changes.length).toLocaleString("en")} more changes</li>
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
