// A row of the tree: a call, or a group of calls.

import type { Row, Title } from "../api";
import rowStyles from "../lists/rows.module.css";
import { cx } from "../parts/cx";
import { StatusSign } from "../parts/marks";
import shared from "../parts/parts.module.css";
import styles from "./tree.module.css";

/** Deeper rows are not indented further; nor is any row in a narrow tree, where its text needs the room. */
const MAX_INDENT = 12;
const MAX_SHARE = "30%";

interface Props {
  row: Row;
  id: string;
  title: Title | undefined;
  open: boolean;
  flat: boolean;
  selected: boolean;
  active: boolean;
  asked: boolean;
  /** The question is about a group, and this is part of it. */
  among: boolean;
  pinned: boolean;
  gone: boolean;
  onToggle: (key: string) => void;
  onSelect: (key: string) => void;
}

export function TreeRow({ row, id, title, open, flat, ...is }: Props) {
  const { selected, active, asked, among, pinned, gone, onToggle, onSelect } = is;
  const hasMore = row.end - row.node > 1 && !flat;
  const classes = [
    rowStyles.row,
    styles.treeRow,
    styles[row.status],
    selected && styles.selected,
    active && styles.active,
    asked && styles.asked,
    among && styles.among,
    row.grouped && !flat && styles.grouped,
    row.kind !== "call" && styles.group,
    gone && styles.gone,
  ];
  const depth = flat ? 0 : Math.min(row.depth, MAX_INDENT);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the tree
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus; aria-activedescendant names the row
    <div
      id={id}
      className={cx(...classes)}
      data-asked={asked || undefined}
      data-gone={gone || undefined}
      role="treeitem"
      aria-level={flat ? 1 : row.level + 1}
      aria-expanded={hasMore ? open : undefined}
      aria-selected={selected}
      style={{ paddingLeft: `min(${6 + depth * 13}px, ${MAX_SHARE})` }}
      onClick={() => onSelect(row.key)}
    >
      <button
        type="button"
        className={shared.twist}
        tabIndex={-1}
        aria-label={open ? "Collapse" : "Expand"}
        style={{ visibility: hasMore ? "visible" : "hidden" }}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(row.key);
        }}
      >
        {open ? "▾" : "▸"}
      </button>
      <StatusSign status={row.status} />
      {asked && (
        <span className={styles.askedSign} role="img" aria-label="asked now" title="asked now">
          ◀ asked
        </span>
      )}
      {pinned && <span className={styles.pinnedSign}>pinned</span>}
      <RowText row={row} title={title} />
    </div>
  );
}

function RowText({ row, title }: { row: Row; title: Title | undefined }) {
  if (row.kind !== "call") {
    const [from, to] = row.key.split("-");
    const what = row.kind === "collapsed" ? `${row.end - row.node - 1} × ${row.function}` : row.function || "calls";
    return (
      <span className={styles.rowText} title={`calls ${from} to ${to}`}>
        <b>{what}</b>
        <span className={styles.rowArgs}>
          {" "}
          #{from} to #{to}, {row.kind === "collapsed" ? "asked as one" : "asked together"}
        </span>
      </span>
    );
  }
  const text = title?.title ?? "";
  const args = text.startsWith(row.function) ? text.slice(row.function.length) : "";
  return (
    <span className={styles.rowText} title={title ? `#${row.key} ${text} ${title.outcome}` : `#${row.key}`}>
      <b>{args || !title ? row.function : text}</b>
      <span className={styles.rowArgs}>{title ? args : "(…)"}</span>
      <span className={styles.rowOutcome}> {title?.outcome}</span>
    </span>
  );
}
