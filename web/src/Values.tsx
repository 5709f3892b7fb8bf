// Values of the program as items of lists that unfold; each part can be picked. Text only, never HTML.

import { useState } from "react";
import { get, type Value } from "./api";

export interface Picking {
  /** The path that is picked, on this side. */
  picked: string;
  pick: (path: string) => void;
  /** Goes to where a value was made. */
  follow: (path: string) => void;
  /** The time as of which objects are opened. */
  time: number;
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
  const [open, setOpen] = useState(false);
  const [parts, setParts] = useState<Value[]>(value.parts);
  const [problem, setProblem] = useState("");
  const canOpen = value.object !== 0 && value.size > 0;

  const load = (first: number) => {
    get<{ parts: Value[] }>(`objects/${value.object}`, { time: picking.time, first, count: 50 }).then(
      (found) => setParts((old) => [...old.slice(0, first), ...found.parts]),
      (error: Error) => setProblem(error.message),
    );
  };
  const toggle = () => {
    if (!open && parts.length === 0) load(0);
    setOpen(!open);
  };

  const shared = value.object !== 0 && (picking.aliases?.get(value.object) ?? 0) > 1;
  const inside =
    !!picking.changed &&
    [...picking.changed].some((p) => p !== path && p.startsWith(path) && /^[.[{]/.test(p.slice(path.length)));
  const state = picking.changed?.has(path) ? "changed" : inside ? "changed-inside" : "";
  return (
    <li className="value">
      <div className={`value-line ${state} ${picking.picked === path ? "picked" : ""}`}>
        {canOpen ? (
          <button
            type="button"
            className="twist"
            onClick={toggle}
            aria-label={open ? `Fold ${path}` : `Unfold ${path}`}
          >
            {open ? "▾" : "▸"}
          </button>
        ) : (
          <span className="twist" aria-hidden="true" />
        )}
        <button
          type="button"
          className="value-pick"
          aria-pressed={picking.picked === path}
          onClick={() => picking.pick(path)}
          title={`Pick ${path}: its history, where it came from, or say that it is wrong`}
        >
          {value.label && <span className="label">{value.label}</span>}
          {value.label && <span className="eq"> = </span>}
          <span className="summary">{value.summary}</span>
        </button>
        {value.type && <span className="type">{value.type}</span>}
        <Follow path={path} follow={picking.follow} />
        {state === "changed-inside" && <span className="note">changed inside</span>}
        {state === "changed" && <span className="note">changed</span>}
        {shared && (
          <span className="alias" title="The same object is shown more than once here">
            ↔ #{value.object}
          </span>
        )}
      </div>
      {open && (
        <div className="parts">
          {problem && <p className="problem">{problem}</p>}
          <ul aria-label={`Parts of ${path}`}>
            {parts.map((part) => (
              <ValueTree key={part.label} value={part} path={path + part.label} {...picking} />
            ))}
          </ul>
          {parts.length > 0 && parts.length < value.size && (
            <button type="button" className="more" onClick={() => load(parts.length)}>
              {(value.size - parts.length).toLocaleString("en")} more
            </button>
          )}
        </div>
      )}
    </li>
  );
}

export function Follow({ path, follow }: { path: string; follow: (path: string) => void }) {
  return (
    <button
      type="button"
      className="follow"
      aria-label={`Where ${path} was made`}
      title={`Go to where ${path} was made`}
      onClick={() => follow(path)}
    >
      ↖
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
