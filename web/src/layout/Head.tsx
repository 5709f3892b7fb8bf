// The head of the page: what is debugged, how far the search is, undo, settings, keys.

import { useState } from "react";
import type { Session } from "../api";
import { BUTTONS, KEYS } from "../keys";
import { count, Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";
import { SearchBox } from "./SearchBox";

export function Head() {
  const { session, tell, dispatch } = usePage();
  const { suspects, all, word } = suspected(session);
  const share = all ? suspects / all : 0;
  const left = session.step.kind === "question" ? session.step.why?.left : undefined;
  return (
    <header className={styles.head}>
      <span className={styles.brand}>
        <span className={styles.logo} aria-hidden="true" />
        wrongcall
      </span>
      <span className={styles.program} title={session.program}>
        {session.name}
      </span>
      {session.growing && (
        <span className={styles.live} data-testid="live" role="status">
          <span className={styles.liveDot} aria-hidden="true" />
          recording
        </span>
      )}
      <SearchBox />
      <div className={styles.progress} data-testid="progress">
        <div className={styles.bar} aria-hidden="true">
          <div className={styles.fill} style={{ width: `${Math.max(share * 100, suspects ? 1 : 0)}%` }} />
        </div>
        <span>
          <b>{suspects.toLocaleString("en")}</b> of {count(all, word)} suspect
          {left && <span className={shared.quiet}> · {left}</span>}
        </span>
      </div>
      <button
        type="button"
        className={styles.headButton}
        aria-disabled={!session.can_undo}
        onClick={() => session.can_undo && tell({ path: "session/undo", sent: {} })}
        title={BUTTONS.undo}
      >
        ↶ Undo <Key>{KEYS.undo}</Key>
      </button>
      <CopyLink />
      <button type="button" className={styles.headButton} onClick={() => dispatch({ type: "settings", open: true })}>
        <span aria-hidden="true">⚙</span> Settings
      </button>
      <button type="button" className={styles.headButton} onClick={() => dispatch({ type: "help", open: true })}>
        Keys <Key>{KEYS.help}</Key>
      </button>
    </header>
  );
}

/** What can have the bug: calls of the run, or places inside a call. */
function suspected({ suspects, calls, step }: Session) {
  if (step.kind !== "question" || !step.inside) return { suspects, all: calls, word: "call" };
  return { suspects: Math.round(step.why?.suspects ?? 0), all: step.inside.boundaries, word: "place" };
}

const COPIED_MS = 1500;

/** Copies the address of what is shown: the call, the time, what is picked. */
function CopyLink() {
  const [said, setSaid] = useState("");
  const copy = () => {
    navigator.clipboard.writeText(window.location.href).then(
      () => setSaid("Copied"),
      () => setSaid("Can’t copy"),
    );
    window.setTimeout(() => setSaid(""), COPIED_MS);
  };
  return (
    <>
      <button
        type="button"
        className={styles.headButton}
        title="Copy the address of this call, time and selection"
        onClick={copy}
      >
        {said || "Copy link"}
      </button>
      <span role="status" className={shared.visuallyHidden}>
        {said}
      </span>
    </>
  );
}
