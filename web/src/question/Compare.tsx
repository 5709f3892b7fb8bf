// Two calls side by side: one is pinned, the other one is in the middle of the page.

import { useState } from "react";
import type { Compared, ComparedRow, Title } from "../api";
import { QUESTION_PARTS } from "../keys";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import styles from "./compare.module.css";
import { differing } from "./differing";
import { Step } from "./Step";

/** Pins a call, or compares it with the one that is pinned. */
export function Pin({ call }: { call: number }) {
  const { location, go } = usePage();
  const { pin } = location;
  const unpin = (
    <button type="button" className={shared.smallButton} onClick={() => go({ pin: null, compare: false })}>
      Unpin
    </button>
  );
  const pinThis = (text: string) => (
    <button type="button" className={shared.smallButton} onClick={() => go({ pin: call, compare: false })}>
      {text}
    </button>
  );
  if (pin === null) return <p className={styles.pin}>{pinThis("Pin to compare")}</p>;
  if (pin === call)
    return (
      <p className={styles.pin} role="status">
        Pinned; go to another call to compare it with this one. {unpin}
      </p>
    );
  return (
    <p className={styles.pin}>
      <button type="button" className={shared.smallButton} onClick={() => go({ compare: true })}>
        Compare with #{pin}
      </button>{" "}
      {pinThis("Pin this one instead")} {unpin}
    </p>
  );
}

export function ComparePanel({ first, second }: { first: number; second: number }) {
  const { go, session } = usePage();
  const found = useAnswer("calls/{call}/compare", { call: first, other: second }, session.version);
  const close = (
    <button type="button" className={styles.close} onClick={() => go({ compare: false })}>
      ← Back to the call
    </button>
  );
  return (
    <Step
      kind="compared"
      label="Two calls"
      className={undefined}
      eyebrow={`Calls #${first} and #${second}`}
      head={
        <>
          <h1>{found.data ? headline(found.data) : "Comparing…"}</h1>
          {close}
        </>
      }
      body={
        <div aria-busy={found.loading}>
          {found.error && <State kind="error">{found.error}</State>}
          {!found.error && !found.data && <State kind="loading">Comparing…</State>}
          {found.data && <Comparison data={found.data} />}
        </div>
      }
    >
      {null}
    </Step>
  );
}

function headline({ differences, unknown }: Compared): string {
  const known = differences ? count(differences, "difference") : "No difference";
  return unknown ? `${known}; ${count(unknown, "part")} can’t be compared` : known;
}

const PARTS: readonly string[] = Object.keys(QUESTION_PARTS);

function Comparison({ data }: { data: Compared }) {
  const [all, setAll] = useState(true);
  const rows = all ? data.rows : data.rows.filter(({ same }) => same !== true);
  return (
    <>
      <label className={styles.only}>
        <input type="checkbox" checked={!all} onChange={(event) => setAll(!event.target.checked)} /> Only what differs
      </label>
      <table className={styles.table} aria-label="Two calls side by side">
        <thead>
          <tr>
            <th scope="col">
              <span className={shared.visuallyHidden}>What is compared</span>
            </th>
            {data.calls.map((call) => (
              <CallHead key={call.call} call={call} />
            ))}
          </tr>
        </thead>
        {PARTS.filter((part) => rows.some((row) => row.part === part)).map((part) => (
          <tbody key={part}>
            {rows
              .filter((row) => row.part === part)
              .map((row) => (
                <Row key={`${row.part} ${row.label}`} row={row} />
              ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

function CallHead({ call }: { call: Title }) {
  const { look, go } = usePage();
  const open = () => {
    go({ compare: false });
    look(String(call.call));
  };
  return (
    <th scope="col">
      <button type="button" className={shared.link} onClick={open}>
        <code>
          #{call.call} {call.title}
        </code>
      </button>
    </th>
  );
}

const SAYS = new Map<boolean | null, [string, string]>([
  [true, ["=", "the same"]],
  [false, ["≠", "different"]],
  [null, ["?", "can’t be compared"]],
]);

function Row({ row }: { row: ComparedRow }) {
  const [sign = "", says = ""] = SAYS.get(row.same) ?? [];
  const title = QUESTION_PARTS[row.part as keyof typeof QUESTION_PARTS];
  const parts = differing(row.first ?? "", row.second ?? "");
  const marks = row.same === false && row.first !== null && row.second !== null;
  return (
    <tr className={cx(row.same === false && styles.different)} data-testid="compared-row" data-same={String(row.same)}>
      <th scope="row">
        <span role="img" aria-label={says} title={says} className={styles.sign}>
          {sign}
        </span>{" "}
        {row.label ? (
          <>
            <span className={styles.part}>{title}</span> <code>{row.label}</code>
          </>
        ) : (
          title
        )}
      </th>
      {[row.first, row.second].map((text, side) => (
        <td key={side === 0 ? "first" : "second"}>
          {text === null ? (
            <span className={shared.quiet}>nothing</span>
          ) : marks ? (
            <Marked parts={parts[side] ?? [text, "", ""]} />
          ) : (
            <code>{text}</code>
          )}
        </td>
      ))}
    </tr>
  );
}

/** A text whose middle is not in the other one. */
function Marked({ parts: [before, middle, after] }: { parts: [string, string, string] }) {
  return (
    <code>
      {before}
      {middle && <mark>{middle}</mark>}
      {after}
    </code>
  );
}
