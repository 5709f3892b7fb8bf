// What goes wrong, and what to do about it.

import type { ReactNode } from "react";
import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";

export function Gone() {
  return (
    <State kind="error">
      The server does not answer. If you stopped <code>wrongcall web</code>, start it again and open the address that it
      prints; your answers are saved in the trace. If it is still running, or was started with{" "}
      <code>--keep-address</code>, this page reconnects by itself.
    </State>
  );
}

export function Notices() {
  const { session, following } = usePage();
  const { lost, message, clash, dismiss, replace } = following;
  return (
    <div className={styles.noticeList} aria-live="assertive">
      {lost && (
        <Notice kind="error">
          <Gone />
        </Notice>
      )}
      {session.unsaved && <Notice kind="error">Can't save the answers: {session.unsaved}</Notice>}
      {session.trouble && <Notice kind="error">Can't read new events; retrying: {session.trouble}</Notice>}
      {session.oracle_troubles.map((trouble) => (
        <Notice kind="error" key={trouble}>
          {trouble}
        </Notice>
      ))}
      {message && (
        <Notice kind="error">
          {message}{" "}
          <button type="button" className={shared.smallButton} onClick={dismiss}>
            Close
          </button>
        </Notice>
      )}
      {clash && (
        <Notice kind="question">
          {clash.message}{" "}
          <button type="button" className={shared.smallButton} onClick={replace}>
            Replace the earlier answer
          </button>
          <button type="button" className={shared.smallButton} onClick={dismiss}>
            Keep the earlier answer
          </button>
        </Notice>
      )}
    </div>
  );
}

function Notice({ kind, children }: { kind: "error" | "question"; children: ReactNode }) {
  return (
    <div
      className={cx(styles.notice, kind === "error" && styles.error)}
      data-testid="notice"
      data-kind={kind}
      role="alert"
    >
      {children}
    </div>
  );
}
