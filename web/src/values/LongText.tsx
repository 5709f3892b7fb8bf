// A text of any length, part by part: wrapped or not, with a search.

import { useEffect, useRef, useState } from "react";
import type { TextPart } from "../api";
import type { Parameters } from "../client";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useAnswer } from "../state/requests";
import type { OpenedProps } from "./registry";
import styles from "./text.module.css";

/** Characters of a part; those before a match that are shown with it. */
const PART = 20_000;
const BEFORE = 2_000;

export default function LongText({ path, call, time }: OpenedProps) {
  return <TextView path={path} request="calls/{call}/text" asked={{ call, place: path, time }} />;
}

interface TextProps {
  /** What the text is called. */
  path: string;
  request: "calls/{call}/text" | "changed-text";
  asked: Parameters;
}

export function TextView({ path, request, asked }: TextProps) {
  const [wraps, setWraps] = useState(true);
  const [search, setSearch] = useState("");
  const [first, setFirst] = useState(0);
  const [at, setAt] = useState(0);
  const found = useAnswer(request, { ...asked, first, search: search || null });
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Loading…</State>;
  const part = found.data;
  const go = (to: number) => {
    const next = (to + part.found.length) % part.found.length;
    const position = part.found[next] ?? 0;
    setAt(next);
    if (position < part.first || position + search.length > part.last) setFirst(Math.max(position - BEFORE, 0));
  };
  const look = (text: string) => {
    setSearch(text);
    setAt(0);
    setFirst(0);
  };
  return (
    <section className={styles.framed} aria-label={`Text of ${path}`} data-testid="long-text">
      <div className={styles.bar}>
        <input
          type="search"
          placeholder="Search the text"
          aria-label={`Search in ${path}`}
          value={search}
          onChange={(event) => look(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || part.found.length === 0) return;
            event.preventDefault();
            go(event.shiftKey ? at - 1 : at + 1);
          }}
        />
        {search && (
          <span role="status" data-testid="text-found">
            {part.count === 0 ? "not found" : `${(at + 1).toLocaleString("en")} of ${part.count.toLocaleString("en")}`}
          </span>
        )}
        {search && part.found.length > 1 && (
          <>
            <button
              type="button"
              className={shared.smallButton}
              aria-label="Previous match"
              title="Previous match"
              onClick={() => go(at - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              className={shared.smallButton}
              aria-label="Next match"
              title="Next match"
              onClick={() => go(at + 1)}
            >
              ↓
            </button>
          </>
        )}
        <button
          type="button"
          className={cx(shared.smallButton, styles.last)}
          aria-pressed={wraps}
          onClick={() => setWraps(!wraps)}
        >
          Wrap
        </button>
      </div>
      <Spans part={part} wraps={wraps} here={part.found[at] ?? -1} />
      <Foot part={part} onFirst={setFirst} />
    </section>
  );
}

interface SpansProps {
  part: TextPart;
  wraps: boolean;
  /** Where the current match begins in the whole text; -1: none. */
  here: number;
}

function Spans({ part, wraps, here }: SpansProps) {
  const current = useRef<HTMLElement | null>(null);
  const inside = part.found.filter((at) => at >= part.first && at < part.last);
  const number = inside.indexOf(here);
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest" });
  }, [number, part]);
  let marks = -1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className={cx(styles.text, wraps && styles.wrapped)} tabIndex={0} data-testid="text">
      {part.spans.map(([text, isMarked], key) => {
        if (!isMarked) return text;
        marks += 1;
        const isCurrent = marks === number;
        return (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            key={key}
            ref={isCurrent ? current : undefined}
            aria-current={isCurrent || undefined}
          >
            {text}
          </mark>
        );
      })}
    </pre>
  );
}

/** Where this part is, and how to get to the others. */
function Foot({ part, onFirst }: { part: TextPart; onFirst: (first: number) => void }) {
  const { first, last, known, length } = part;
  const isWhole = first === 0 && last >= known;
  return (
    <p className={styles.foot}>
      {count(length, "character")}
      {length > known && `, of which the first ${known.toLocaleString("en")} were recorded`}
      {!isWhole && (
        <>
          {`; here ${(first + 1).toLocaleString("en")} to ${last.toLocaleString("en")} `}
          <button
            type="button"
            className={shared.smallButton}
            disabled={first === 0}
            onClick={() => onFirst(Math.max(first - PART, 0))}
          >
            Previous part
          </button>
          <button type="button" className={shared.smallButton} disabled={last >= known} onClick={() => onFirst(last)}>
            Next part
          </button>
        </>
      )}
    </p>
  );
}
