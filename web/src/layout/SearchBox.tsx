// One box to search the whole run: functions, files, printed text, exceptions, values, conditions.

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SearchMatch, SearchResults } from "../api";
import { get } from "../client";
import { count, Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";

const TYPING_MS = 150;
/** Between two requests of a search that goes on. */
const AGAIN_MS = 30;

const HINT = "Search: name, text, =4, total > 100";

export function SearchBox() {
  const { session, look } = usePage();
  const [typed, setTyped] = useState("");
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement | null>(null);
  const field = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    const later = window.setTimeout(() => setText(typed.trim()), TYPING_MS);
    return () => window.clearTimeout(later);
  }, [typed]);
  const found = useQuery({
    queryKey: ["find", text, session.growing && session.version],
    queryFn: ({ signal }) => get("find", { search: text }, signal),
    enabled: text !== "" && open,
    staleTime: Number.POSITIVE_INFINITY,
    // The same request continues the search.
    refetchInterval: ({ state }) => (state.data && !state.data.done ? AGAIN_MS : false),
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const close = () => setOpen(false);
  const go = (call: number, time?: number) => {
    close();
    look(String(call), time);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      close();
      field.current?.blur();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const stops = [field.current, ...(box.current?.querySelectorAll<HTMLElement>("[data-result]") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLInputElement);
    stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to all browsers yet
    <div
      ref={box}
      role="search"
      className={styles.searchBox}
      onKeyDown={onKeyDown}
      onBlur={(event) => !box.current?.contains(event.relatedTarget) && close()}
    >
      <input
        ref={field}
        type="search"
        value={typed}
        placeholder={HINT}
        aria-label="Search the run"
        aria-keyshortcuts="Control+K"
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
        }}
      />
      <Key>Ctrl K</Key>
      {open && typed.trim() !== "" && (
        <div className={styles.searchResults} data-testid="search-results">
          <p className={shared.note} role="status" data-testid="search-state">
            {found.error
              ? found.error.message
              : found.data && typed.trim() === text
                ? summary(found.data)
                : "searching …"}
          </p>
          {found.data && !found.data.done && (
            <progress value={found.data.progress} aria-label="How much of the run has been searched" />
          )}
          {found.data && <Results results={found.data} go={go} />}
        </div>
      )}
    </div>
  );
}

function summary({ done, complete, progress, trouble, matches, functions, files }: SearchResults): string {
  if (trouble) return trouble;
  const all = matches.length + functions.length + files.length;
  if (!done) return `${count(all, "match", "matches")} so far, searching … ${Math.floor(progress * 100)}%`;
  return complete ? count(all, "match", "matches") : `the first ${count(all, "match", "matches")}`;
}

function Results({ results, go }: { results: SearchResults; go: (call: number, time?: number) => void }) {
  return (
    <ul aria-label="Matches">
      {results.functions.map((each) => (
        <Result key={`${each.function} ${each.first}`} kind="function" go={() => go(each.first)}>
          <code>{each.function}</code> <span className={shared.note}>{count(each.calls, "call")}</span>
        </Result>
      ))}
      {results.files.map((each) => (
        <Result key={each.path} kind="file" go={() => each.call > 0 && go(each.call)}>
          <code>{each.path}</code>
        </Result>
      ))}
      {numbered(results.matches).map(({ match, number }) => (
        <Result key={number} kind={match.kind} go={() => go(match.call, match.time)}>
          <code>{said(match)}</code>{" "}
          <span className={shared.note}>
            {match.function} #{match.call}
            {match.line > 0 && ` · line ${match.line}`} <code>{match.source}</code>
          </span>
        </Result>
      ))}
    </ul>
  );
}

/** Equal matches may follow each other: each has its number. */
function numbered(matches: SearchMatch[]) {
  return matches.map((match, number) => ({ match, number }));
}

function said({ kind, place, value, text }: SearchMatch): string {
  if (kind === "wrote") return `${place} = ${value}`;
  return text || value || "";
}

function Result({ kind, go, children }: { kind: string; go: () => void; children: React.ReactNode }) {
  return (
    <li>
      <button type="button" className={styles.searchResult} data-result data-kind={kind} onClick={go}>
        <span className={styles.searchKind}>{kind}</span>
        <span>{children}</span>
      </button>
    </li>
  );
}
