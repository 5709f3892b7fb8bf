// Changes of state: what was there, and what is there now.

import { useState } from "react";
import type { Change } from "../api";
import { cx } from "../parts/cx";
import shared from "../parts/parts.module.css";
import { OpenedChange } from "./Opened";
import { canOpenChange } from "./registry";
import { Follow, Pickable, type Picking, Twist } from "./Values";
import styles from "./values.module.css";

/** A change of at most so many columns stands on one line. */
const SHORT = 60;
/** Of more changes, those of at most so many columns stand beside each other. */
const FEW = 6;
const VERY_SHORT = 28;

const CHANGE_SIGNS: Record<Change["kind"], string> = { changed: "~", added: "+", removed: "−", moved: "↷" };

interface ChangesProps extends Picking {
  changes: Change[];
  /** How many there are, if more than these. */
  count?: number;
}

export function Changes({ changes, count: all = 0, ...picking }: ChangesProps) {
  return (
    <ul className={changes.length > FEW ? styles.sideBySide : undefined}>
      {numbered(changes).map(({ number, change }) => (
        <ChangeLine key={number} change={change} picking={picking} />
      ))}
      {all > changes.length && (
        <li className={shared.quiet}>… and {(all - changes.length).toLocaleString("en")} more changes</li>
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
  const canOpen = canOpenChange(change);
  return (
    <li className={isShort(change, VERY_SHORT) && !canOpen ? styles.beside : undefined}>
      <div className={styles.changeLine} data-testid="change-line">
        <Twist path={change.place} open={open} onOpen={canOpen ? setOpen : undefined} />
        <Pickable
          path={change.place}
          className={cx(
            styles.change,
            styles[change.kind],
            isShort(change) && styles.shortChange,
            picked === change.place && styles.picked,
          )}
          testId="change"
          {...picking}
        >
          <ChangeText change={change} isCompared={open && change.sides !== null} />
        </Pickable>
        {follow && change.new && <Follow path={change.place} follow={follow} />}
      </div>
      {open && <OpenedChange change={change} picking={picking} />}
    </li>
  );
}

/** About how many rows changes take. */
export function rowsOf(changes: readonly Change[]): number {
  const lines = (text: string) => (text ? Math.ceil(text.length / SHORT) : 0);
  return changes.reduce((rows, change) => rows + (isShort(change) ? 1 : 1 + lines(change.old) + lines(change.new)), 0);
}

/** Place and values fit on one line; otherwise the place stands above them. */
function isShort(change: Change, columns = SHORT): boolean {
  const { place, old, new: now, runs, kind } = change;
  return runs.length === 0 && kind !== "moved" && place.length + old.length + now.length <= columns;
}

function Became({ old, now }: { old: string; now: string }) {
  return (
    <>
      {old && <del>{old}</del>}
      {old && now && (
        <span className={styles.arrow} role="img" aria-label="became">
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
      {before && <span className={shared.quiet}>{before}</span>}
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

/** A change; what is compared below it is not repeated. */
function ChangeText({ change, isCompared }: { change: Change; isCompared: boolean }) {
  const isElement = change.within !== "" && (change.kind === "added" || change.kind === "removed");
  return (
    <>
      <span className={styles.changeSign} role="img" aria-label={change.kind}>
        {CHANGE_SIGNS[change.kind]}
      </span>
      <span className={styles.label}>{isElement ? change.within : change.place}</span>
      {isElement && <span className={shared.quiet}>{change.kind}</span>}
      <span className={styles.changeValues}>
        {change.runs.length === 0 && !isCompared && <Became old={change.old} now={change.new} />}
        {runsOf(change).map((run) => (
          <Run key={run.number} {...run} />
        ))}
        {change.more > 0 && (
          <span className={shared.note}>{change.more.toLocaleString("en")} more changes, not listed</span>
        )}
        {change.kind === "moved" && <span className={shared.note}>moved from {change.origin}</span>}
      </span>
    </>
  );
}
