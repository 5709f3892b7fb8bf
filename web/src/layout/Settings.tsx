// Settings: how the next question is chosen, who is asked first, colours, the editor, the sizes of panels.

import { useEffect, useRef } from "react";
import shared from "../parts/parts.module.css";
import questionStyles from "../question/question.module.css";
import { usePage } from "../state/page";
import { EDITORS } from "../state/preferences";
import styles from "./layout.module.css";
import { strategyTitle } from "./strategies";

export function Settings() {
  const { session, theme, setTheme, editor, setEditor, panels, tell, dispatch } = usePage();
  const dialog = useRef<HTMLDialogElement | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const about = session.strategies.find((each) => each.name === session.strategy)?.about ?? "";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog by Escape itself
    <dialog
      ref={dialog}
      className={styles.help}
      aria-label="Settings"
      onClose={() => dispatch({ type: "settings", open: false })}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <h2>Settings</h2>
      <div className={styles.settings}>
        <label htmlFor="strategy">How the next question is chosen</label>
        <div>
          <select
            id="strategy"
            aria-label="Strategy"
            aria-describedby="about-strategy"
            value={session.strategy}
            onChange={(event) => tell({ path: "session/strategy", sent: { name: event.target.value } })}
          >
            {session.strategies.map((each) => (
              <option key={each.name} value={each.name}>
                {strategyTitle(each.name)}
              </option>
            ))}
          </select>
          <p id="about-strategy" className={shared.note}>
            {about} <code>--strategy {session.strategy}</code>
          </p>
        </div>
        {session.oracles.length > 0 && <Oracles />}
        <span id="colours">Colours</span>
        <fieldset className={shared.choices} aria-labelledby="colours">
          <button type="button" aria-pressed={theme === "light"} onClick={() => setTheme("light")}>
            Light
          </button>
          <button type="button" aria-pressed={theme === "dark"} onClick={() => setTheme("dark")}>
            Dark
          </button>
        </fieldset>
        <label htmlFor="editor">Open source lines in</label>
        <select
          id="editor"
          value={editor}
          onChange={(event) => {
            const chosen = EDITORS.find(({ name }) => name === event.target.value);
            if (chosen) setEditor(chosen.name);
          }}
        >
          {EDITORS.map(({ name, text }) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        <span>Panels</span>
        <div>
          <button type="button" className={shared.smallButton} onClick={panels.reset}>
            Restore the usual sizes
          </button>
        </div>
      </div>
      <button type="button" className={questionStyles.verdict} onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

/** Who is asked before the user, and a way not to ask them any more. */
function Oracles() {
  const { session, following, tell } = usePage();
  return (
    <>
      <span id="oracles">Asked before you</span>
      <ul aria-labelledby="oracles">
        {session.oracles.map(({ name, answers, silent }) => (
          <li key={name} data-testid="oracle">
            <code>{name}</code>{" "}
            {silent ? (
              <span className={shared.quiet}>not asked any more</span>
            ) : (
              <>
                <span className={shared.quiet}>{answers === 1 ? "1 answer" : `${answers} answers`}</span>{" "}
                <button
                  type="button"
                  className={shared.smallButton}
                  disabled={following.busy}
                  title="Stop asking, and take its answers back"
                  onClick={() => tell({ path: "session/dismiss", sent: { name } })}
                >
                  Ignore {name}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
