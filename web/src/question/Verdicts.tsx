// The answers: by click or key, each with how many suspects it would leave.

import { useState } from "react";
import type { Verdict, Why } from "../api";
import { cx } from "../parts/cx";
import { Key } from "../parts/marks";
import { partOf, usePage } from "../state/page";
import styles from "./question.module.css";

interface Props {
  /** What is judged. */
  name: string;
  why: Why | null;
  /** A part of it can be wrong; of a group it cannot. */
  hasParts: boolean;
  /** Pointing at an answer shows what it would rule out. */
  previews: boolean;
}

export function Verdicts({ name, why, hasParts, previews }: Props) {
  const { place, following, open, dispatch, judge } = usePage();
  const { busy } = following;
  const [expected, setExpected] = useState("");
  const [more, setMore] = useState(false);
  const part = (hasParts && partOf(place)?.path) || "";
  const preview = (verdict: Verdict | null) => previews && dispatch({ type: "previewed", verdict });
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
    <fieldset className={styles.verdicts} aria-label={`Is ${name} right?`}>
      <div className={styles.verdictRow}>
        {button("right", "✓ Right", "y", styles.right, why?.left_if_right)}
        {button("wrong", "✗ Wrong", "n", styles.wrong, why?.left_if_wrong)}
        {button("dont_know", "Don’t know", "d", undefined, why?.left_if_unknown)}
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
          {part && button("wrong_part", `${part} is wrong`, "p", styles.part)}
          {more && button("trust_function", "Trust function", "t", undefined)}
          {more && button("trust_module", "Trust module", "T", undefined)}
          {more && button("inadmissible", "Invalid call", "i", undefined)}
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
            Wrong
          </button>
        </form>
      )}
    </fieldset>
  );
}
