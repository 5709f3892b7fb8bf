// The head of the page: what is debugged, how far the search is, strategy, undo, colours, help.

import { BUTTONS, KEYS } from "../keys";
import { count, Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";

export function Head() {
  const { session, theme, setTheme, tell, dispatch } = usePage();
  const share = session.calls ? session.suspects / session.calls : 0;
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
      <div className={styles.progress} data-testid="progress">
        <div className={styles.bar} aria-hidden="true">
          <div className={styles.fill} style={{ width: `${Math.max(share * 100, session.suspects ? 1 : 0)}%` }} />
        </div>
        <span>
          <b>{session.suspects.toLocaleString("en")}</b> of {count(session.calls, "call")} suspect
          {left && <span className={shared.quiet}> · {left}</span>}
        </span>
      </div>
      <label className={styles.strategy}>
        <span className={shared.visuallyHidden}>Strategy</span>
        <select
          value={session.strategy}
          onChange={(event) => tell({ path: "session/strategy", sent: { name: event.target.value } })}
        >
          {session.strategies.map((each) => (
            <option key={each.name} value={each.name} title={each.about}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className={styles.headButton}
        aria-disabled={!session.can_undo}
        onClick={() => session.can_undo && tell({ path: "session/undo", sent: {} })}
        title={BUTTONS.undo}
      >
        ↶ Undo <Key>{KEYS.undo}</Key>
      </button>
      <button
        type="button"
        className={styles.headButton}
        onClick={() => setTheme(theme === "dark" ? "light" : "dark")}
        aria-label={theme === "dark" ? "Light colours" : "Dark colours"}
      >
        {theme === "dark" ? "☀" : "☾"}
      </button>
      <button
        type="button"
        className={styles.headButton}
        onClick={() => dispatch({ type: "help", open: true })}
        aria-label="Keys"
      >
        ?
      </button>
    </header>
  );
}
