// What to do, in a sentence, until the first answer or until it is closed; once in each browser.

import { useState } from "react";
import { HOW_TO_ANSWER } from "../keys";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./layout.module.css";

const KNOWN = "knows what to do";

export function FirstVisit() {
  const { session } = usePage();
  const [known, setKnown] = useState(() => window.localStorage.getItem(KNOWN) !== null);
  if (known || session.step.kind !== "question") return null;
  const answered = session.entries.some((entry) => entry.by === "user");
  if (answered) {
    window.localStorage.setItem(KNOWN, "yes");
    return null;
  }
  const close = () => {
    window.localStorage.setItem(KNOWN, "yes");
    setKnown(true);
  };
  return (
    <p className={styles.firstVisit} data-testid="first-visit">
      <span>{HOW_TO_ANSWER} A few answers lead to the call that has the bug.</span>
      <button type="button" className={shared.smallButton} onClick={close}>
        Got it
      </button>
    </p>
  );
}
