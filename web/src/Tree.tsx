// The tree of calls: any size, by rows that are fetched when they come into view.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { get, type Line, post, type Row, type Rows, type Session, type Shade, type Verdict } from "./api";
import { isGone } from "./Icicle";
import { useBlocks, useLongList } from "./longlist";
import { count, ShadeSign, SIGNS, State } from "./marks";

const ROW = 24;
const BLOCK = 100;
const FEW = 400;
const DEEPEST = 24;

interface Props {
  session: Session;
  selected: string;
  preview: Verdict | null;
  onSelect: (key: string) => void;
}

interface Outline {
  /** Everything is open but these; or only these are. */
  all: boolean;
  keys: ReadonlySet<string>;
}

interface Filter {
  text: string;
  shade: string;
}

interface Size {
  /** What was asked for when it was told. */
  of: object | null;
  count: number;
  looked: number;
  candidates: number;
}

const ANY: Filter = { text: "", shade: "" };

export function Tree({ session, selected, preview, onSelect }: Props) {
  const [outline, setOutline] = useState<Outline>(() => ({ all: session.calls <= FEW, keys: new Set() }));
  const [filter, setFilter] = useState<Filter>(ANY);
  const [typed, setTyped] = useState("");
  const [size, setSize] = useState<Size>({ of: null, count: 0, looked: 0, candidates: 0 });
  const [active, setActive] = useState(0);
  /** How often the user has moved in the tree. */
  const movements = useRef(0);
  const question = session.step.kind === "question" ? session.step : null;
  const wanted = useMemo(() => request(outline, filter), [outline, filter]);
  const [piece, setPiece] = useState(0);
  const stamp = `${session.version} ${piece} ${JSON.stringify(wanted)}`;
  const filtered = !!(filter.text || filter.shade);
  const typing = typed.trim() !== filter.text;

  const list = useLongList(size.count, ROW);
  const first = list.items[0]?.index ?? 0;
  const last = list.items.at(-1)?.index ?? 0;
  const blocks = useBlocks<Row>(stamp, BLOCK, size.count, { first, last }, async (from, signal) => {
    const found = await post<Rows>("rows", { ...wanted, first: from, count: BLOCK }, signal);
    setSize({ of: wanted, count: found.count, looked: found.looked, candidates: found.candidates });
    return found.rows;
  });
  const visible = list.items.map((item) => ({ item, row: blocks.row(item.index) }));
  const titles = useTitles(
    visible.flatMap(({ row }) => (row?.kind === "call" ? [Number(row.key)] : [])),
    session.growing ? session.version : 0,
  );

  // A search for values is done piece by piece.
  useEffect(() => {
    if (size.looked < size.candidates) setPiece(size.looked);
  }, [size.looked, size.candidates]);

  useEffect(() => {
    const later = window.setTimeout(() => setFilter((old) => ({ ...old, text: typed.trim() })), 200);
    return () => window.clearTimeout(later);
  }, [typed]);

  // What is selected, or asked, is brought into view: its callers are opened.
  const target = selected || question?.key || session.root;
  const show = useRef(list.show);
  show.current = list.show;
  const latest = useRef(outline);
  latest.current = outline;
  useEffect(() => {
    if (!target || filtered) return;
    let gone = false;
    const before = latest.current;
    const moved = movements.current;
    void (async () => {
      const { above } = await get<{ above: string[] }>("path", { key: target });
      if (gone) return;
      // What was closed in the meantime stays closed.
      const now = latest.current;
      const shut = above.filter((key) => !isOpen(before, key));
      const opened = withOpen(now, shut);
      if (opened !== now) setOutline(opened);
      const found = await post<Rows>("rows", { ...request(opened, ANY), first: 0, count: 1, find: target });
      if (gone || ![now, opened].includes(latest.current)) return;
      setSize({ of: null, count: found.count, looked: 0, candidates: 0 });
      // Who has moved on meanwhile stays there.
      if (found.found >= 0 && movements.current === moved) {
        setActive(found.found);
        window.setTimeout(() => show.current(found.found), 30);
      }
    })().catch(() => undefined); // the rows tell what is wrong
    return () => {
      gone = true;
    };
    // Not when the outline changes: what the user closes stays closed.
  }, [target, session.version, filtered]);

  const toggle = useCallback((key: string) => {
    setOutline((old) => {
      const keys = new Set(old.keys);
      if (!keys.delete(key)) keys.add(key);
      return { ...old, keys };
    });
  }, []);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = blocks.row(active);
    const to = (index: number) => {
      const next = Math.max(0, Math.min(size.count - 1, index));
      movements.current += 1;
      setActive(next);
      list.show(next);
    };
    const parentOf = ({ depth }: Row) => {
      let index = active - 1;
      while (index > 0 && (blocks.row(index)?.depth ?? depth) >= depth) index -= 1;
      return index;
    };
    const page = Math.floor((list.scroller.current?.clientHeight ?? 240) / ROW) - 1;
    const moves: Record<string, () => void> = {
      ArrowDown: () => to(active + 1),
      ArrowUp: () => to(active - 1),
      PageDown: () => to(active + page),
      PageUp: () => to(active - page),
      Home: () => to(0),
      End: () => to(size.count - 1),
      ArrowRight: () => row && row.end - row.node > 1 && (isOpen(outline, row.key) ? to(active + 1) : toggle(row.key)),
      ArrowLeft: () => {
        if (!row || filtered) return;
        if (row.end - row.node > 1 && isOpen(outline, row.key)) toggle(row.key);
        else to(parentOf(row));
      },
      Enter: () => row && onSelect(row.key),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };

  return (
    <section className="tree-panel" aria-label="Calls" aria-busy={typing || blocks.pending || titles.pending}>
      <header className="panel-head">
        <h2>Calls</h2>
        <span className="quiet">
          {typing || (filtered && size.of !== wanted)
            ? "searching …"
            : filtered
              ? found(size)
              : count(session.calls, "call")}
        </span>
      </header>
      <div className="tree-filter">
        <input
          id="search"
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            if (!["ArrowDown", "Enter", "Escape"].includes(event.key)) return;
            event.preventDefault();
            if (event.key === "Escape") setTyped("");
            list.scroller.current?.focus();
          }}
          placeholder="Function, or =value"
          aria-label="Search calls by function, or by =value"
        />
        <select
          value={filter.shade}
          aria-label="Only calls that are"
          onChange={(event) => setFilter((old) => ({ ...old, shade: event.target.value }))}
        >
          <option value="">all</option>
          {(Object.keys(SIGNS) as Shade[]).map((shade) => (
            <option key={shade} value={shade}>
              {SIGNS[shade]} {shade}
            </option>
          ))}
        </select>
      </div>
      {blocks.error && <State kind="error">{blocks.error}</State>}
      {!blocks.error && size.count === 0 && !blocks.pending && (
        <State>{filtered ? "No call is like that." : "No calls yet."}</State>
      )}
      <div
        ref={list.scroller}
        className="rows"
        role="tree"
        tabIndex={0}
        aria-label="Tree of calls"
        aria-activedescendant={visible.some(({ item }) => item.index === active) ? `row-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className="rows-view">
          {visible.map(({ item, row }) => (
            <div
              key={item.index}
              className="row-place"
              style={{ transform: `translateY(${item.start - list.offset}px)` }}
            >
              {row ? (
                <TreeRow
                  row={row}
                  id={`row-${item.index}`}
                  line={titles.known.get(Number(row.key))}
                  open={isOpen(outline, row.key) && !filtered}
                  flat={filtered}
                  selected={row.key === (selected || question?.key)}
                  active={item.index === active}
                  asked={row.key === question?.key}
                  gone={
                    !!preview && !!question && row.shade === "suspect" && isGone(preview, question, row.node, row.end)
                  }
                  onToggle={toggle}
                  onSelect={(key) => {
                    setActive(item.index);
                    onSelect(key);
                  }}
                />
              ) : (
                <div className="row waiting" aria-hidden="true" />
              )}
            </div>
          ))}
        </div>
        <div style={{ height: list.height }} aria-hidden="true" />
      </div>
    </section>
  );
}

function request(outline: Outline, filter: Filter): object {
  const byValue = filter.text.startsWith("=");
  return {
    open: outline.all ? null : [...outline.keys],
    closed: outline.all ? [...outline.keys] : [],
    function: byValue ? "" : filter.text,
    value: byValue ? filter.text.slice(1) : "",
    shade: filter.shade,
  };
}

function isOpen(outline: Outline, key: string): boolean {
  return outline.all !== outline.keys.has(key);
}

function withOpen(outline: Outline, keys: readonly string[]): Outline {
  const changed = keys.filter((key) => !isOpen(outline, key));
  if (changed.length === 0) return outline;
  const next = new Set(outline.keys);
  for (const key of changed) {
    if (outline.all) next.delete(key);
    else next.add(key);
  }
  return { ...outline, keys: next };
}

function found(size: Size): string {
  const matches = `${size.count.toLocaleString("en")} found`;
  if (size.looked >= size.candidates) return matches;
  return `${matches} in the first ${count(size.looked, "call")} of ${size.candidates.toLocaleString("en")}`;
}

interface RowProps {
  row: Row;
  id: string;
  line: Line | undefined;
  open: boolean;
  flat: boolean;
  selected: boolean;
  active: boolean;
  asked: boolean;
  gone: boolean;
  onToggle: (key: string) => void;
  onSelect: (key: string) => void;
}

function TreeRow({ row, id, line, open, flat, selected, active, asked, gone, onToggle, onSelect }: RowProps) {
  const hasMore = row.end - row.node > 1 && !flat;
  const classes = ["row", row.shade, selected && "selected", active && "active", asked && "asked", gone && "gone"];
  const depth = flat ? 0 : Math.min(row.depth, DEEPEST);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the tree
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus; aria-activedescendant names the row
    <div
      id={id}
      className={classes.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={hasMore ? open : undefined}
      aria-selected={selected}
      style={{ paddingLeft: 6 + depth * 13 }}
      onClick={() => onSelect(row.key)}
    >
      <button
        type="button"
        className="twist"
        tabIndex={-1}
        aria-label={open ? "Fold" : "Unfold"}
        style={{ visibility: hasMore ? "visible" : "hidden" }}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(row.key);
        }}
      >
        {open ? "▾" : "▸"}
      </button>
      <ShadeSign shade={row.shade} />
      {asked && (
        <span className="asked-sign" role="img" aria-label="asked now" title="asked now">
          ◀ ?
        </span>
      )}
      <RowText row={row} line={line} />
    </div>
  );
}

function RowText({ row, line }: { row: Row; line: Line | undefined }) {
  if (row.kind !== "call") {
    const [from, to] = row.key.split("-");
    return (
      <span className="row-text">
        <b>{row.kind === "collapsed" ? `${row.end - row.node - 1} × ${row.function}` : `calls ${from} to ${to}`}</b>
        <span className="row-args"> {row.kind === "collapsed" ? "asked as one" : "asked together"}</span>
      </span>
    );
  }
  const title = line?.title ?? "";
  const args = title.startsWith(row.function) ? title.slice(row.function.length) : "";
  return (
    <span className="row-text" title={line ? `#${row.key} ${line.title} ${line.outcome}` : `#${row.key}`}>
      <b>{args || !line ? row.function : title}</b>
      <span className="row-args">{line ? args : "(…)"}</span>
      <span className="row-outcome"> {line?.outcome}</span>
    </span>
  );
}

/** Titles of calls, fetched when they come into view. */
function useTitles(calls: number[], version: number): { known: Map<number, Line>; pending: boolean } {
  const known = useRef(new Map<number, Line>());
  const read = useRef(new Map<number, number>());
  const [round, redraw] = useState(0);
  const newest = useRef(version);
  newest.current = version;
  // What was not completed may have ended.
  const isOld = (call: number) =>
    known.current.get(call)?.outcome === "not completed" && read.current.get(call) !== version;
  const wanted = calls.filter((call) => !known.current.has(call) || isOld(call)).join(" ");
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    const later = window.setTimeout(() => {
      const asOf = newest.current;
      post<{ titles: Line[] }>("titles", { calls: wanted.split(" ").map(Number) }, abort.signal).then(
        ({ titles }) => {
          if (known.current.size > 20_000) known.current.clear();
          for (const title of titles) {
            known.current.set(title.call, title);
            read.current.set(title.call, asOf);
          }
          redraw((n) => n + 1);
        },
        () => undefined, // the function's name is shown; what is wrong the rows tell
      );
    }, 60);
    return () => {
      window.clearTimeout(later);
      abort.abort();
    };
  }, [wanted, round]);
  return { known: known.current, pending: calls.some((call) => !known.current.has(call)) };
}
