// The tree of calls: any size, by rows that are fetched when they come into view.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useReducer } from "react";
import type { NodeStatus, Row, Rows } from "../api";
import { get, post } from "../client";
import { useBlocks } from "../lists/blocks";
import { useLongList } from "../lists/longlist";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import { count, SIGNS, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { isGone } from "../picture/preview";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import { ANY, isOpen, newTree, type Outline, type Size, treeReducer, wantedRows, withOpen } from "./outline";
import { TreeRow } from "./TreeRow";
import { useTitles } from "./titles";
import styles from "./tree.module.css";

/** Of a row, in pixels. */
const ROW = 24;
/** Rows in a block. */
const BLOCK = 100;
const TYPING_MS = 200;
/** The rows have to be in the page before one of them can be shown. */
const DRAWN_MS = 30;

export function Tree() {
  const { session, location, isLooking, question, open, look, dispatch: change } = usePage();
  const selected = isLooking ? location.key : "";
  const { preview, bodies } = open;
  const [state, dispatch] = useReducer(treeReducer, session.calls, newTree);
  const { outline, filter, typed, size, active } = state;
  const wanted = useMemo(() => wantedRows(outline, filter, bodies), [outline, filter, bodies]);
  const filtered = !!(filter.text || filter.status);
  const typing = typed.trim() !== filter.text;

  const list = useLongList(size.count, ROW);
  const blocks = useBlocks<Row, Rows>({
    name: "tree",
    stamp: `${session.version} ${state.slice} ${JSON.stringify(wanted)}`,
    size: BLOCK,
    count: size.count,
    visible: { first: list.items[0]?.index ?? 0, last: list.items.at(-1)?.index ?? 0 },
    fetchBlock: (first, signal) => post("rows", { ...wanted, first, count: BLOCK }, signal),
  });
  const visible = list.items.map((item) => ({ item, row: blocks.row(item.index) }));
  const titles = useTitles(
    visible.flatMap(({ row }) => (row?.kind === "call" ? [Number(row.key)] : [])),
    session.growing ? session.version : 0,
  );

  const { newest } = blocks;
  useEffect(() => {
    if (newest) dispatch({ type: "counted", size: { ...sizeOf(newest), of: wanted } });
  }, [newest, wanted]);
  useEffect(() => {
    const later = window.setTimeout(() => dispatch({ type: "searched", text: typed.trim() }), TYPING_MS);
    return () => window.clearTimeout(later);
  }, [typed]);
  // The picture marks what the tree is searched for.
  const highlight = filter.text.startsWith("=") ? "" : filter.text;
  const mark = useEffectEvent((text: string) => change({ type: "highlighted", text }));
  useEffect(() => mark(highlight), [highlight]);
  const askedRow = useAnswer(question ? "path" : null, { key: question?.row }, session.version).data?.row;
  const target = selected || question?.row || session.root;
  useTarget(target, filtered, outline, bodies, state.movements, {
    open: (to) => dispatch({ type: "opened", outline: to }),
    show: (index, rows, moved) => {
      dispatch({ type: "counted", size: { of: null, count: rows, looked: 0, candidates: 0 } });
      // Whoever has moved on meanwhile stays there.
      if (index < 0 || state.movements !== moved) return;
      dispatch({ type: "activated", index });
      window.setTimeout(() => list.show(index), DRAWN_MS);
    },
  });

  const toggle = (key: string) => dispatch({ type: "toggled", key });
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = blocks.row(active);
    const to = (index: number) => {
      const next = Math.max(0, Math.min(size.count - 1, index));
      dispatch({ type: "moved", index: next });
      list.show(next);
    };
    const parentOf = ({ level }: Row) => {
      let index = active - 1;
      while (index > 0 && (blocks.row(index)?.level ?? level) >= level) index -= 1;
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
      Enter: () => row && look(row.key),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };

  return (
    <section className={shared.panel} aria-label="Calls" aria-busy={typing || blocks.pending || titles.pending}>
      <header className={cx(shared.panelHead, styles.treeHead)}>
        <h2>Calls</h2>
        <span className={shared.quiet}>
          {typing || (filtered && size.of !== wanted)
            ? "searching …"
            : filtered
              ? found(size)
              : count(session.calls, "call")}
        </span>
        {!filtered && (newest?.bodies ?? 0) > 0 && (
          <button
            type="button"
            className={shared.link}
            aria-pressed={bodies}
            onClick={() => change({ type: "bodies toggled" })}
          >
            {bodies ? "Hide" : "Show"} {count(newest?.bodies ?? 0, "class body", "class bodies")}
          </button>
        )}
      </header>
      <div className={styles.treeFilter}>
        <input
          id="search"
          type="search"
          value={typed}
          onChange={(event) => dispatch({ type: "typed", text: event.target.value })}
          onKeyDown={(event) => {
            if (!["ArrowDown", "Enter", "Escape"].includes(event.key)) return;
            event.preventDefault();
            if (event.key === "Escape") dispatch({ type: "typed", text: "" });
            list.scroller.current?.focus();
          }}
          placeholder="Function, or =value"
          aria-label="Search calls by function, or by =value"
        />
        <select
          value={filter.status}
          aria-label="Only calls that are"
          onChange={(event) => dispatch({ type: "filtered", status: event.target.value as NodeStatus | "" })}
        >
          <option value="">all</option>
          {(Object.keys(SIGNS) as NodeStatus[]).map((status) => (
            <option key={status} value={status}>
              {SIGNS[status]} {STATUS_OPTIONS[status] ?? status}
            </option>
          ))}
        </select>
      </div>
      {!filtered && <Breadcrumbs target={target} />}
      {blocks.error && <State kind="error">{blocks.error}</State>}
      {!blocks.error && size.count === 0 && !blocks.pending && (
        <State>{filtered ? "No calls match." : "No calls yet."}</State>
      )}
      <div
        ref={list.scroller}
        className={cx(rowStyles.rows, styles.tree)}
        role="tree"
        tabIndex={0}
        aria-label="Tree of calls"
        aria-activedescendant={visible.some(({ item }) => item.index === active) ? `row-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className={rowStyles.rowsView}>
          {visible.map(({ item, row }) => (
            <div
              key={item.index}
              className={rowStyles.rowPlace}
              style={{ transform: `translateY(${item.start - list.offset}px)` }}
            >
              {row ? (
                <TreeRow
                  row={row}
                  id={`row-${item.index}`}
                  title={titles.title(Number(row.key))}
                  open={isOpen(outline, row.key) && !filtered}
                  flat={filtered}
                  selected={row.key === (selected || askedRow)}
                  active={item.index === active}
                  asked={row.key === askedRow}
                  among={!!question && question.calls > 1 && question.node <= row.node && row.end <= question.end}
                  pinned={row.key === String(location.pin)}
                  gone={!!preview && !!question && row.status === "suspect" && isGone(preview, question, row)}
                  onToggle={toggle}
                  onSelect={(key) => {
                    dispatch({ type: "activated", index: item.index });
                    look(key);
                  }}
                />
              ) : (
                <div className={cx(rowStyles.row, rowStyles.waiting)} data-testid="waiting" aria-hidden="true" />
              )}
            </div>
          ))}
        </div>
        <div style={{ height: list.height }} aria-hidden="true" />
      </div>
    </section>
  );
}

/** The callers of what is selected, the outermost first: deep rows are not indented further. */
function Breadcrumbs({ target }: { target: string }) {
  const { session, look } = usePage();
  const found = useAnswer(target ? "path" : null, { key: target }, session.version);
  const above = (found.data?.above ?? []).map((key, at) => ({ key, name: found.data?.functions[at] ?? "" }));
  const named = above.filter(({ name }) => name !== "");
  if (named.length < 2) return null;
  return (
    <nav className={styles.breadcrumbs} aria-label="Callers">
      {named.map(({ key, name }) => (
        <button key={key} type="button" title={`#${key} ${name}`} onClick={() => look(key)}>
          {name}
        </button>
      ))}
    </nav>
  );
}

/** Where the identifier is not the usual word. */
const STATUS_OPTIONS: Partial<Record<NodeStatus, string>> = {
  unknown: "undecided",
  inadmissible: "invalid calls",
  explained: "explained by an earlier bug",
};

function sizeOf(rows: Rows): Omit<Size, "of"> {
  return { count: rows.count, looked: rows.looked, candidates: rows.candidates };
}

interface TargetActions {
  open: (outline: Outline) => void;
  /** Show a row, -1: none; the number of rows; how often the user had moved when the search began. */
  show: (index: number, rows: number, moved: number) => void;
}

/** Bring what is selected, or asked, into view: open its callers and find its row. */
function useTarget(
  target: string,
  filtered: boolean,
  outline: Outline,
  bodies: boolean,
  movements: number,
  actions: TargetActions,
): void {
  const queries = useQueryClient();
  const { version } = usePage().session;
  const now = useEffectEvent(() => outline);
  const moved = useEffectEvent(() => movements);
  const open = useEffectEvent(actions.open);
  const show = useEffectEvent(actions.show);
  useEffect(() => {
    if (!target || filtered) return;
    let gone = false;
    const before = now();
    const movedBefore = moved();
    const find = async () => {
      const { above } = await queries.fetchQuery({
        queryKey: ["path", target, version],
        queryFn: () => get("path", { key: target }),
        staleTime: Number.POSITIVE_INFINITY,
      });
      if (gone) return;
      // What was closed in the meantime stays closed.
      const current = now();
      const opened = withOpen(
        current,
        above.filter((key) => !isOpen(before, key)),
      );
      if (opened !== current) open(opened);
      const sent = { ...wantedRows(opened, ANY, bodies), first: 0, count: 1, find: target };
      const found = await queries.fetchQuery({
        queryKey: ["find", sent, version],
        queryFn: () => post("rows", sent),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 0,
      });
      if (!gone && [current, opened].includes(now())) show(found.found, found.count, movedBefore);
    };
    find().catch(() => undefined); // the rows show what is wrong
    return () => {
      gone = true;
    };
    // Not when the outline changes: what the user closes stays closed.
  }, [target, version, filtered, bodies, queries]);
}

function found(size: Size): string {
  const matches = `${size.count.toLocaleString("en")} found`;
  if (size.looked >= size.candidates) return matches;
  return `${matches} in the first ${count(size.looked, "call")} of ${size.candidates.toLocaleString("en")}`;
}
