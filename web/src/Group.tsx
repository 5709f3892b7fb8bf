// A question about several calls: what they did together, or each by itself.

import type { Member, Question } from "./api";
import { Changes, Lines, Section } from "./CallCard";
import type { Acting } from "./Step";

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
        They follow each other, and each finds things as the one before left them. Judge what they did together: if it
        is wrong, one of them is.
      </p>
      <Section title="Changed, all together">
        {question.changed.length > 0 ? (
          <Changes changes={question.changed} count={question.changed_count} />
        ) : (
          <p className="quiet">Nothing.</p>
        )}
      </Section>
      {question.printed && (
        <Section title="Printed">
          <pre className="printed">{question.printed}</pre>
        </Section>
      )}
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

function TogetherLine({ line, acting }: { line: Member; acting: Acting }) {
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
  return (
    <div className="members">
      <p className="quiet">
        Judge each of them by itself. If one is wrong, say which (✗), or just wrong; right means that all of them are.
      </p>
      <Lines title="Read" values={question.read} />
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
                aria-disabled={acting.busy}
                aria-label={`Call ${line.call} is wrong`}
                title="This one is wrong"
                onClick={() => acting.wrong(line.call)}
              >
                ✗
              </button>
            </div>
            <Whole label="read" values={line.read ?? []} />
            <Whole label="yielded" values={line.yielded ?? []} />
            {line.changed && line.changed.length > 0 && (
              <Changes changes={line.changed} count={line.changed_count ?? 0} />
            )}
            {line.printed && <pre className="printed">{line.printed}</pre>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Whole({ label, values }: { label: string; values: { label: string; summary: string }[] }) {
  return values.map((value) => (
    <p key={`${label} ${value.label}`} className="listed-value">
      <span className="quiet">{label}</span> <span className="label">{value.label}</span>{" "}
      <span className="summary">{value.summary}</span>
    </p>
  ));
}
