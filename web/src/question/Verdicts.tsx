// The answers: by click or key, each with how many suspects it would leave.

import { useState } from "react";
import type { Verdict, Why } from "../api";
import { Key } from "../parts/marks";
import { partOf, usePage } from "../state/page";

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
  const button = (verdict: Verdict, text: string, key: string, className: string, left?: number) => (
    <button
      type="button"
      className={`verdict ${className}`}
      aria-disabled={busy}
      aria-keyshortcuts={key}
      onClick={() => judge(verdict)}
      onMouseEnter={() => preview(verdict)}
      onMouseLeave={() => preview(null)}
      onFocus={() => preview(verdict)}
      onBlur={() => preview(null)}
    >
      <span className="verdict-text">
        {text} <Key>{key}</Key>
      </span>
      {left !== undefined && <span className="leaves">leaves {Math.round(left).toLocaleString("en")}</span>}
    </button>
  );
  return (
    <fieldset className="verdicts" aria-label={`Is ${name} right?`}>
      <div className="verdict-row">
        {button("right", "✓ Right", "y", "right", why?.left_if_right)}
        {button("wrong", "✗ Wrong", "n", "wrong", why?.left_if_wrong)}
        {button("dont_know", "Don’t know", "d", "plain", why?.left_if_unknown)}
        <button
          type="button"
          className="verdict plain more-verdicts"
          aria-expanded={more || !!part}
          onClick={() => setMore(!more)}
        >
          <span className="verdict-text">More</span>
        </button>
      </div>
      {(more || part) && (
        <div className="verdict-row small">
          {part && button("wrong_part", `${part} is wrong`, "p", "part")}
          {more && button("trust_function", "Trust function", "t", "plain")}
          {more && button("trust_module", "Trust module", "T", "plain")}
          {more && button("inadmissible", "Invalid call", "i", "plain")}
        </div>
      )}
      {open.expecting && (
        <form
          className="expected"
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
          <button type="submit" className="verdict wrong">
            Wrong
          </button>
        </form>
      )}
    </fieldset>
  );
}
