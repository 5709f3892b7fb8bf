// Values of the program as lists that expand; each part can be picked. Text only, never HTML.

import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Value } from "../api";
import { get } from "../client";
import { cx } from "../parts/cx";
import shared from "../parts/parts.module.css";
import { Opened } from "./Opened";
import { useIsUnfolded } from "./unfolding";
import styles from "./values.module.css";

const AT_ONCE = 50;

export interface Picking {
  /** Where the values are shown: part of the question, or among the variables. */
  side?: string;
  /** The path that is picked, on this side. */
  picked?: string;
  /** Without it values are only shown. */
  pick?: (path: string) => void;
  /** Goes to where a value was made. */
  follow?: (path: string) => void;
  /** The call whose paths these are; without it, texts and sources can't be asked for. */
  call?: number;
  /** The time as of which objects are opened. */
  time: number;
  /** The time with which tables are compared. */
  against?: number;
  /** What stands beside a value, by its path. */
  beside?: (path: string) => ReactNode;
  /** Paths that were changed, and paths something was changed in. */
  changed?: ReadonlySet<string>;
  /** How often each object is seen in this card. */
  aliases?: ReadonlyMap<number, number>;
}

interface Props extends Picking {
  value: Value;
  /** The path of the value, as in c[2]. */
  path: string;
}

export function ValueTree({ value, path, ...picking }: Props) {
  const [chosen, setOpen] = useState<boolean | null>(null);
  const canOpen = (value.object !== 0 && value.size > 0) || (value.is_long && picking.call !== undefined);
  const isUnfolded = useIsUnfolded(picking.side, path);
  const open = canOpen && (chosen ?? isUnfolded);
  const isShared = value.object !== 0 && (picking.aliases?.get(value.object) ?? 0) > 1;
  const inside =
    !!picking.changed &&
    [...picking.changed].some((p) => p !== path && p.startsWith(path) && /^[.[{]/.test(p.slice(path.length)));
  const state = picking.changed?.has(path) ? "changed" : inside ? "changedInside" : "";
  return (
    <li className={cx(styles.value, !canOpen && styles.plainValue)} data-testid="value">
      <div
        className={cx(
          styles.valueLine,
          open && styles.opened,
          state && styles[state],
          picking.picked === path && styles.picked,
        )}
      >
        <Twist path={path} open={open} onOpen={canOpen ? setOpen : undefined} />
        <Pickable path={path} className={styles.valuePick} testId="value-pick" {...picking}>
          {value.label && <span className={styles.label}>{value.label}</span>}
          {value.label && <span className={styles.eq}> = </span>}
          <span className={styles.summary} data-testid="summary">
            {value.summary}
          </span>
        </Pickable>
        {!tellsItsType(value) && <span className={styles.type}>{value.type}</span>}
        {picking.beside?.(path)}
        {picking.follow && <Follow path={path} follow={picking.follow} />}
        {state === "changedInside" && <span className={cx(shared.note, styles.changeNote)}>changed inside</span>}
        {state === "changed" && <span className={shared.note}>changed</span>}
        {isShared && (
          <span className={styles.alias} title="The same object is shown more than once here">
            ↔ #{value.object}
          </span>
        )}
      </div>
      {open && <Opened value={value} path={path} {...picking} />}
    </li>
  );
}

/** What values of some types begin with. */
const BEGINNINGS: Record<string, string> = {
  list: "[",
  tuple: "(",
  dict: "{",
  set: "{",
  type: "<class ",
  function: "<function ",
  builtin_function_or_method: "<built-in ",
};

/** The text of a value says what type it has. */
export function tellsItsType({ type, summary }: Pick<Value, "type" | "summary">): boolean {
  const begins = [`${type}(`, `${type} `, `<${type} `, BEGINNINGS[type] ?? `${type}(`];
  return type === "" || summary === `<${type}>` || begins.some((text) => summary.startsWith(text));
}

interface PickableProps {
  path: string;
  className: string | undefined;
  testId: string;
  picked?: string;
  /** Without it the place is only shown. */
  pick?: (path: string) => void;
  children: ReactNode;
}

export function Pickable({ path, className, testId, picked, pick, children }: PickableProps) {
  if (!pick)
    return (
      <span className={className} data-testid={testId}>
        {children}
      </span>
    );
  return (
    <button
      type="button"
      className={className}
      data-testid={testId}
      aria-pressed={picked === path}
      onClick={() => pick(path)}
      title={`Pick ${path}: its history, where it came from, or say that it is wrong`}
    >
      {children}
    </button>
  );
}

interface TwistProps {
  path: string;
  open: boolean;
  /** Without it there is nothing to open. */
  onOpen: ((open: boolean) => void) | undefined;
}

export function Twist({ path, open, onOpen }: TwistProps) {
  if (!onOpen) return <span className={shared.twist} aria-hidden="true" />;
  const label = open ? `Collapse ${path}` : `Expand ${path}`;
  return (
    <button type="button" className={shared.twist} onClick={() => onOpen(!open)} aria-label={label}>
      {open ? "▾" : "▸"}
    </button>
  );
}

interface PartsProps extends Picking {
  object: number;
  /** The path of the object. */
  path: string;
  /** Those that are there already. */
  known?: Value[];
  /** How many there are, if that is told. */
  size?: number;
}

/** The parts of an object: fetched when it is opened, some at a time. */
export function Parts({ object, path, known = [], size, ...picking }: PartsProps) {
  const { time } = picking;
  const { data, error, isSuccess, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["parts", object, time],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { object, time, first: pageParam, count: AT_ONCE };
      return (await get("objects/{object}", asked, signal)).parts;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.length, 0);
      const more = size === undefined ? last.length === AT_ONCE : last.length > 0 && shown < size;
      return more ? shown : null;
    },
    ...(known.length > 0 ? { initialData: { pages: [known], pageParams: [0] } } : {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const parts = data?.pages.flat() ?? [];
  return (
    <div className={styles.parts} data-testid="parts">
      {error && <p className={styles.problem}>{error.message}</p>}
      {isSuccess && parts.length === 0 && <p className={shared.quiet}>It is empty.</p>}
      <ul aria-label={`Parts of ${path}`}>
        {parts.map((part) => (
          <ValueTree key={part.label} value={part} path={path + part.label} {...picking} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className={styles.more} onClick={() => fetchNextPage()}>
          {size === undefined ? "more" : `${(size - parts.length).toLocaleString("en")} more`}
        </button>
      )}
    </div>
  );
}

export function Follow({ path, follow }: { path: string; follow: (path: string) => void }) {
  return (
    <button type="button" className={styles.follow} aria-label={`Where ${path} was made`} onClick={() => follow(path)}>
      ↖
      <span className={styles.followWord} aria-hidden="true">
        go to where it was made
      </span>
    </button>
  );
}

/** Count how often each object is seen in some values. */
export function aliasesOf(values: readonly Value[]): Map<number, number> {
  const seen = new Map<number, number>();
  const visit = (value: Value) => {
    if (value.object && !/^<(function|class|module)/.test(value.summary))
      seen.set(value.object, (seen.get(value.object) ?? 0) + 1);
    if (!value.repeated) value.parts.forEach(visit);
  };
  values.forEach(visit);
  return seen;
}
