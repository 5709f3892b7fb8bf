// The answers: by click or key, each with how many suspects it would leave.

import { Fragment, useState } from "react";
import type { Verdict, Why } from "../api";
import { ANSWERS, BUTTONS, KEYS, MORE_ANSWERS } from "../keys";
import { cx } from "../parts/cx";
import { Key, SIGNS } from "../parts/marks";
import { partOf, usePage } from "../state/page";
import styles from "./question.module.css";

interface Props {
  /** What is judged. */
  name: string;
  why: Why | null;
  /** A part of it can be wrong; of a group it cannot. */
  hasParts: boolean;
  /** It is a call, which can be trusted, or searched inside; of a group and inside a call that means nothing. */
  hasInside: boolean;
  /** It is about what happened inside a call. */
  isInside?: boolean;
  /** Pointing at an answer shows what it would rule out. */
  previews: boolean;
}

/** Something to do that is no answer. */
function Other({ text, shortcut, busy, act }: { text: string; shortcut: string; busy: boolean; act: () => void }) {
  return (
    <button
      type="button"
      className={styles.verdict}
      aria-disabled={busy}
      aria-keyshortcuts={shortcut}
      onClick={() => !busy && act()}
    >
      <span>
        {text} <Key>{shortcut}</Key>
      </span>
    </button>
  );
}

export function Verdicts({ name, why, hasParts, hasInside, isInside = false, previews }: Props) {
  const { place, following, open, dispatch, judge, goInside, stopAtCall } = usePage();
  const { busy } = following;
  const [expected, setExpected] = useState("");
  const [more, setMore] = useState(false);
  const part = (hasParts && partOf(place)?.path) || "";
  const preview = (verdict: Verdict | null) => previews && dispatch({ type: "previewed", verdict });
  const left = (verdict: Verdict) =>
    ({ right: why?.left_if_right, wrong: why?.left_if_wrong, dont_know: why?.left_if_unknown })[verdict as string];
  const button = (verdict: Verdict, text: string, key: string, className: string | undefined, left?: number) => (
    <button
      type="button"
      className={cx(styles.verdict, className)}
      aria-disabled={busy}
      aria-keyshortcuts={key}
      onClick={() => judge(verdict)}
      onMouseEnter={() => preview(verdict)}
      onMouseLeave={() => preview(null)}
      onFocus={() => preview(verdict)}
      onBlur={() => preview(null)}
    >
      <span>
        {text} <Key>{key}</Key>
      </span>
      {left !== undefined && <span className={styles.leaves}>leaves {Math.round(left).toLocaleString("en")}</span>}
    </button>
  );
  return (
    <fieldset
      className={styles.verdicts}
      aria-label={`Is ${name} right?`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !more) return;
        event.stopPropagation();
        setMore(false);
      }}
    >
      <div className={styles.verdictRow}>
        {ANSWERS.map(({ verdict, key, text }) => (
          <Fragment key={key}>
            {button(verdict, `${sign(verdict)}${text}`, key, styles[verdict], left(verdict))}
          </Fragment>
        ))}
        <button
          type="button"
          className={cx(styles.verdict, styles.moreVerdicts)}
          aria-expanded={more || !!part}
          onClick={() => setMore(!more)}
        >
          <span>More</span>
        </button>
      </div>
      {(more || part) && (
        <div className={cx(styles.verdictRow, styles.small)}>
          {part && button("wrong_part", `${part} is wrong`, KEYS.part, styles.part)}
          {more &&
            !isInside &&
            MORE_ANSWERS.map(({ verdict, key, text }) => (
              <Fragment key={key}>{button(verdict, text, key, undefined)}</Fragment>
            ))}
          {more && hasInside && <Other text={BUTTONS.inside} shortcut={KEYS.inside} busy={busy} act={goInside} />}
          {more && isInside && <Other text={BUTTONS.found} shortcut={KEYS.found} busy={busy} act={stopAtCall} />}
        </div>
      )}
      {open.expecting && (
        <form
          className={styles.expected}
          onSubmit={(event) => {
            event.preventDefault();
            judge("wrong", expected);
            setExpected("");
          }}
        >
          <label>
            It should have been
            <input
              // biome-ignore lint/a11y/noAutofocus: it appears because somebody wants to type
              autoFocus
              value={expected}
              onChange={(event) => setExpected(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && dispatch({ type: "expecting", on: false })}
            />
          </label>
          <button type="submit" className={cx(styles.verdict, styles.wrong)}>
            {ANSWERS.find((answer) => answer.verdict === "wrong")?.text}
          </button>
        </form>
      )}
    </fieldset>
  );
}

/** The sign that a call gets by a verdict, if that is one of right and wrong. */
function sign(verdict: Verdict): string {
  return verdict === "right" || verdict === "wrong" ? `${SIGNS[verdict]} ` : "";
}
