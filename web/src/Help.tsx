// What the keys do.

import { useEffect, useRef } from "react";
import { HOW_TO_ANSWER, KEY_HELP } from "./keys";

const ROWS = [
  ...KEY_HELP,
  ["↑ ↓ ← → Enter", "in the tree: move, fold, unfold, look at; in events: step, go to the call"],
];

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog by Escape itself
    <dialog
      ref={dialog}
      className="help"
      aria-label="Keys"
      onClose={onClose}
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
      <p className="quiet">
        {HOW_TO_ANSWER} The search ends at a call that is wrong although every call it made is right.
      </p>
      <button type="button" className="verdict plain" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
