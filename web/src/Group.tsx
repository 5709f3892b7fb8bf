// A question about several calls: what they did together, or each by itself.

import { useEffect, useState } from "react";
import { type Line, type Member, post, type Question, type Value } from "./api";
import { Changes, Doc, Lines, Others, Section } from "./CallCard";
import { State } from "./marks";
import type { Acting } from "./Step";

const AT_ONCE = 8;

export function Group({ question, acting }: { question: Question; acting: Acting }) {
  return question.list ? (
    <CallList question={question} acting={acting} />
  ) : (
    <Together question={question} acting={acting} />
  );
}

/** Calls that follow each other: one state before, one after. */
function Together({ question, acting }: { question: Question; acting: Acting }) {
  const half = question.left_out ? Math.ceil(question.members.length / 2) : question.members.length;
  return (
    <div className="members">
      <p className="quiet">
        Each call starts with what the previous one left. Judge what they did together: if it is wrong, one of them is
        wrong.
      </p>
      <Section title="Changed, all together">
        {question.changed.length > 0 ? (
          <Changes changes={question.changed} count={question.changed_count} time={question.after} />
        ) : (
          <p className="quiet">Nothing.</p>
        )}
      </Section>
      {question.printed && (
        <Section title="Printed">
          <pre className="printed">{question.printed}</pre>
        </Section>
      )}
      <Others meanwhile={question.meanwhile} time={question.after} onCall={acting.onCall} />
      <Section title="Calls">
        <ul className="call-lines">
          {question.members.slice(0, half).map((line) => (
            <TogetherLine key={line.call} line={line} acting={acting} />
          ))}
          {question.left_out > 0 && (
            <li className="quiet left-out">… {question.left_out.toLocaleString("en")} more like these …</li>
          )}
          {question.members.slice(half).map((line) => (
            <TogetherLine key={line.call} line={line} acting={acting} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function TogetherLine({ line, acting }: { line: Line; acting: Acting }) {
  return (
    <li className="member">
      <button type="button" className="call-line" onClick={() => acting.onCall(String(line.call))}>
        <span className="call-number">#{line.call}</span>
        <code>{line.title}</code>
        <code className="outcome-text">{line.outcome}</code>
      </button>
    </li>
  );
}

/** Calls of a loop: each is judged by itself, and one answer is for all. */
function CallList({ question, acting }: { question: Question; acting: Acting }) {
  const { known, error } = useMembers(question);
  const common = commonReads([...known.values()]);
  return (
    <div className="members">
      <p className="quiet">
        Judge each call on its own. “Right” means that all of them are right. If one is wrong, click its ✗, or answer
        “wrong”.
      </p>
      {error && <State kind="error">{error}</State>}
      <Doc text={question.call.doc} />
      <ul>
        {question.members.map((line) => (
          <li key={line.call} className="member listed">
            <div className="member-head">
              <button type="button" className="call-line" onClick={() => acting.onCall(String(line.call))}>
                <span className="call-number">#{line.call}</span>
                <code>{line.title}</code>
                <code className="outcome-text">{line.outcome}</code>
              </button>
              <button
                type="button"
                className="small-button wrong-one"
                disabled={acting.busy}
                aria-label={`Call ${line.call} is wrong`}
                title="This one is wrong"
                onClick={() => acting.wrong(line.call)}
              >
                ✗
              </button>
            </div>
            {!error && <Details member={known.get(line.call)} common={common} />}
          </li>
        ))}
      </ul>
      <Lines title="Read" values={[...common.values()]} />
    </div>
  );
}

function Details({ member, common }: { member: Member | undefined; common: ReadonlyMap<string, Value> }) {
  if (!member) return <p className="listed-value quiet">Loading…</p>;
  return (
    <>
      <Whole label="yielded" values={member.yielded} />
      {member.changed.length > 0 && (
        <Changes changes={member.changed} count={member.changed_count} time={member.after} />
      )}
      {member.printed && <pre className="printed">{member.printed}</pre>}
      <Whole label="read" values={member.read.filter((value) => !common.has(value.label))} />
    </>
  );
}

function Whole({ label, values }: { label: string; values: Value[] }) {
  return values.map((value) => (
    <p key={`${label} ${value.label}`} className="listed-value">
      <span className="quiet">{label}</span> <span className="label">{value.label}</span>{" "}
      <span className="summary">{value.summary}</span>
    </p>
  ));
}

/** What calls read, if all that read it found the same. */
function commonReads(members: Member[]): Map<string, Value> {
  const found = new Map<string, Value>();
  const differ = new Set<string>();
  for (const value of members.flatMap((member) => member.read)) {
    const known = found.get(value.label);
    if (known && (known.summary !== value.summary || known.object !== value.object)) differ.add(value.label);
    found.set(value.label, value);
  }
  for (const label of differ) found.delete(label);
  return found;
}

/** What the calls of a list did: fetched a few at a time, the first ones first. */
function useMembers(question: Question): { known: Map<number, Member>; error: string } {
  const [known, setKnown] = useState(new Map<number, Member>());
  const [error, setError] = useState("");
  const wanted = question.members.map((line) => line.call).join(" ");
  useEffect(() => {
    const abort = new AbortController();
    setKnown(new Map());
    setError("");
    const fetchAll = async () => {
      const calls = wanted.split(" ").map(Number);
      for (let first = 0; first < calls.length; first += AT_ONCE) {
        const some = { calls: calls.slice(first, first + AT_ONCE) };
        const { members } = await post<{ members: Member[] }>("members", some, abort.signal);
        setKnown((old) => new Map([...old, ...members.map((member) => [member.call, member] as const)]));
      }
    };
    fetchAll().catch((problem: Error) => {
      if (!abort.signal.aborted) setError(problem.message);
    });
    return () => abort.abort();
  }, [wanted]);
  return { known, error };
}
