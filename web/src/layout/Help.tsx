// What the keys do.

import { useEffect, useRef } from "react";
import shared from "../parts/parts.module.css";
import questionStyles from "../question/question.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";

const KEYS: [string, string][] = [
  ["y  n  d", "right, wrong, don’t know"],
  ["t  T  i", "trust this function, its module; invalid call"],
  ["p", "the picked part is wrong"],
  ["e", "wrong; enter what would have been right"],
  ["u", "undo the last answer"],
  ["w", "why this question"],
  ["g", "back to the question"],
  [",  .", "step back and forward in time"],
  ["[  ]", "previous and next change of the picked value"],
  ["h  o", "history of the picked value; where it came from"],
  ["v  l  x", "events, variables, output"],
  ["/", "search calls"],
  ["↑ ↓ ← → Enter", "in the tree: move, collapse, expand, look at; in events: step, go to the call"],
  ["?", "this help"],
];

export function Help() {
  const { dispatch } = usePage();
  const dialog = useRef<HTMLDialogElement | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog by Escape itself
    <dialog
      ref={dialog}
      className={styles.help}
      aria-label="Keys"
      onClose={() => dispatch({ type: "help", open: false })}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={shared.quiet}>
        Is the result correct for these arguments? Answer y or n. You don’t need to know how the code works. The search
        ends at a call that is wrong although all calls it made are right.
      </p>
      <button type="button" className={questionStyles.verdict} onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
