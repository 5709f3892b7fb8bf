// What the keys do.

import { useEffect, useRef } from "react";
import { NEXT_ROUND, PREVIOUS_ROUND } from "../inspector/RoundStepper";
import { HOW_TO_ANSWER, KEY_HELP } from "../keys";
import shared from "../parts/parts.module.css";
import questionStyles from "../question/question.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";

const ROWS = [
  ...KEY_HELP,
  ["Ctrl K", "search the whole run"],
  [PREVIOUS_ROUND, "the previous round of the loop"],
  [NEXT_ROUND, "the next round of the loop"],
  ["↑ ↓ ← → Enter", "in the tree: move, collapse, expand, look at; in events: step, go to the call"],
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
        {ROWS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={shared.quiet}>
        {HOW_TO_ANSWER} The search ends at a call that is wrong although all calls it made are right.
      </p>
      <button type="button" className={questionStyles.verdict} onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
