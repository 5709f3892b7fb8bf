// The answers: by click or key, each with what it would leave.

import { useState } from "react";
import type { Verdict, Why } from "./api";
import type { Place } from "./hooks";
import { Key } from "./marks";

export interface Preview {
  verdict: Verdict;
}

interface Props {
  name: string;
  why: Partial<Why> | null;
  place: Place | null;
  busy: boolean;
  expecting: boolean;
  onExpecting: (on: boolean) => void;
  onVerdict: (verdict: Verdict, expected?: string) => void;
  onPreview: (verdict: Verdict | null) => void;
}

export const PARTS = ["input", "outcome", "effect"];

export function Verdicts({ name, why, place, busy, expecting, onExpecting, onVerdict, onPreview }: Props) {
  const [expected, setExpected] = useState("");
  const [more, setMore] = useState(false);
  const part = place && PARTS.includes(place.side) ? place.path : "";
  const button = (verdict: Verdict, text: string, key: string, className: string, left?: number) => (
    <button
      type="button"
      className={`verdict ${className}`}
      aria-disabled={busy}
      aria-keyshortcuts={key}
      onClick={() => onVerdict(verdict)}
      onMouseEnter={() => onPreview(verdict)}
      onMouseLeave={() => onPreview(null)}
      onFocus={() => onPreview(verdict)}
      onBlur={() => onPreview(null)}
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
        {button("don't know", "Don’t know", "d", "plain", why?.left_if_unknown)}
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
          {part && button("this part is wrong", `${part} is wrong`, "p", "part")}
          {more && button("trust function", "Trust function", "t", "plain")}
          {more && button("trust module", "Trust module", "T", "plain")}
          {more && button("inadmissible", "Invalid call", "i", "plain")}
        </div>
      )}
      {expecting && (
        <form
          className="expected"
          onSubmit={(event) => {
            event.preventDefault();
            onVerdict("wrong", expected);
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
              onKeyDown={(event) => event.key === "Escape" && onExpecting(false)}
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
