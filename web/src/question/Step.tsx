// What every panel in the middle of the page is made of: a head, a body that scrolls, and what can be done.

import { Fragment, type ReactNode } from "react";
import type { Why } from "../api";
import { BUTTONS, KEYS } from "../keys";
import { cx } from "../parts/cx";
import { Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./question.module.css";

interface StepProps {
  kind: "question" | "looked-at" | "finding" | "nothing" | "compared";
  label: string;
  className: string | undefined;
  /** The small line above the heading. */
  eyebrow: ReactNode;
  /** What else stands in the head. */
  head: ReactNode;
  /** What stands between the head and the body. */
  source?: ReactNode;
  /** What scrolls between the head and what is below. */
  body: ReactNode;
  children: ReactNode;
}

/** What the middle of the page shows: a head, a body that scrolls, and what can be done. */
export function Step({ kind, label, className, eyebrow, head, source, body, children }: StepProps) {
  return (
    <section
      className={cx(shared.panel, styles.step, className)}
      data-testid="step"
      data-kind={kind}
      aria-label={label}
    >
      <header className={styles.stepHead}>
        <p className={styles.eyebrow}>{eyebrow}</p>
        {head}
      </header>
      {source}
      <div className={styles.stepBody}>{body}</div>
      {children}
    </section>
  );
}

/** Why a question is asked, behind a button. */
export function WhyAsked({ why, opinions, previews }: { why: Why | null; opinions: string[]; previews: boolean }) {
  const { open, dispatch } = usePage();
  return (
    <>
      <button
        type="button"
        className={cx(shared.link, styles.whyButton)}
        aria-expanded={open.why}
        onClick={() => dispatch({ type: "why toggled" })}
      >
        {BUTTONS.why} <Key>{KEYS.why}</Key>
      </button>
      {open.why && why && <WhyText why={why} previews={previews} />}
      {opinions.map((opinion) => (
        <p key={opinion} className={styles.why} data-testid="opinion">
          {opinion}
        </p>
      ))}
    </>
  );
}

function WhyText({ why, previews }: { why: Why; previews: boolean }) {
  return (
    <div className={styles.why} data-testid="why">
      <p>{why.text}</p>
      <p className={shared.quiet}>
        {why.note ? `${why.note} ` : ""}
        {previews && "Point at an answer to see in the picture of the run what it rules out."}
      </p>
    </div>
  );
}

/** What can be done with the picked value. */
export function Picked() {
  const { place, go } = usePage();
  if (!place) return null;
  return (
    <fieldset className={styles.pickedBar} data-testid="picked-bar" aria-label={`Picked: ${place.path}`}>
      <code>{place.path}</code>
      <button type="button" onClick={() => go({ tab: "history", view: "inside" })}>
        {BUTTONS.history} <Key>{KEYS.history}</Key>
      </button>
      <button type="button" onClick={() => go({ tab: "origin", view: "inside" })}>
        {BUTTONS.origin} <Key>{KEYS.origin}</Key>
      </button>
      <button
        type="button"
        className={shared.smallButton}
        aria-label="Clear the picked value"
        title="Clear the picked value"
        onClick={() => go({ place: null })}
      >
        <span aria-hidden="true">×</span> Clear
      </button>
    </fieldset>
  );
}

/** A text in which source stands between backticks. */
export function Coded({ text }: { text: string }) {
  const parts = text.split("`").map((part, number) => ({ part, number }));
  if (parts.length % 2 === 0) return text;
  return parts.map(({ part, number }) => <Fragment key={number}>{number % 2 ? <code>{part}</code> : part}</Fragment>);
}
