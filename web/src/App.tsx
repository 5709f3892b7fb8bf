// The page: the question in the middle, the run on the left, the inside of a call on the right.

import { flushSync } from "react-dom";
import type { Verdict } from "./api";
import { Inspector } from "./inspector/Inspector";
import { KEYS } from "./keys";
import { Head } from "./layout/Head";
import { Help } from "./layout/Help";
import styles from "./layout/layout.module.css";
import { Gone, Notices } from "./layout/Notices";
import { cx } from "./parts/cx";
import { State } from "./parts/marks";
import { Icicle } from "./picture/Icicle";
import { ContradictionPanel, FindingPanel, LookedAt, NothingPanel, QuestionPanel } from "./question/Panels";
import { useKeptFocus } from "./state/focus";
import { useKeys } from "./state/keys";
import { PageProvider, usePage } from "./state/page";
import { useSession } from "./state/session";
import { Tree } from "./tree/Tree";

export function App() {
  const following = useSession();
  const { session, lost, error } = following;
  if (session) {
    return (
      <PageProvider following={following} session={session}>
        <Workspace />
      </PageProvider>
    );
  }
  return (
    <main className={styles.alone}>
      {error ? <State kind="error">{error}</State> : lost ? <Gone /> : <State kind="loading">Reading the trace…</State>}
    </main>
  );
}

const VIEWS = [
  ["question", "Question"],
  ["run", "Run"],
  ["inside", "Inside"],
] as const;

/** Where only one view fits, this one is in front. */
const VIEW_CLASSES: Record<string, string> = { question: "viewQuestion", run: "viewRun", inside: "viewInside" };

function Workspace() {
  const { session, location, go, open } = usePage();
  usePageKeys();
  useKeptFocus();
  return (
    <div
      className={cx(styles.workspace, styles[VIEW_CLASSES[location.view] ?? ""])}
      data-testid="workspace"
      data-version={session.version}
    >
      <Head />
      <Notices />
      <nav className={styles.views} aria-label="Views">
        {VIEWS.map(([name, text]) => (
          <button key={name} type="button" aria-pressed={location.view === name} onClick={() => go({ view: name })}>
            {text}
          </button>
        ))}
      </nav>
      <aside className={styles.sideLeft} aria-label="The run" tabIndex={-1}>
        <Icicle />
        <Tree />
      </aside>
      <main className={styles.middle} tabIndex={-1}>
        <Middle />
      </main>
      <aside className={styles.sideRight} aria-label="Inside the call" tabIndex={-1}>
        <Inside />
      </aside>
      {open.help && <Help />}
    </div>
  );
}

function Middle() {
  const { session, isLooking, looked } = usePage();
  const { step } = session;
  if (isLooking) {
    if (looked.error)
      return (
        <State kind="error" framed>
          {looked.error}
        </State>
      );
    return looked.data ? (
      <LookedAt call={looked.data} />
    ) : (
      <State kind="loading" framed>
        Loading…
      </State>
    );
  }
  if (step.kind === "question") return <QuestionPanel question={step} />;
  if (step.kind === "finding") return <FindingPanel finding={step} />;
  if (step.kind === "contradiction") return <ContradictionPanel step={step} />;
  return <NothingPanel step={step} />;
}

function Inside() {
  const { number } = usePage();
  if (number === 0) return <State framed>Pick a call in the tree to see what happened in it.</State>;
  return <Inspector />;
}

function usePageKeys(): void {
  const { session, following, open, dispatch, isLooking, call, place, go, tell, judge } = usePage();
  const { step } = session;
  const { busy } = following;
  // A call that is not shown yet is not judged.
  const judging = call !== null && (step.kind === "question" || isLooking);
  const asked = (verdict: Verdict) => (judging && !busy ? () => judge(verdict) : undefined);
  const finding = step.kind === "finding" && !isLooking && !step.confirmed && !busy;
  const tab = (name: string) => () => go({ tab: name, view: "inside" });
  useKeys({
    [KEYS.yes]: finding ? () => tell({ path: "session/confirm", sent: {} }) : asked("right"),
    [KEYS.no]: finding ? () => tell({ path: "session/reject", sent: {} }) : asked("wrong"),
    [KEYS.dontKnow]: asked("dont_know"),
    [KEYS.trust]: asked("trust_function"),
    [KEYS.trustModule]: asked("trust_module"),
    [KEYS.inadmissible]: asked("inadmissible"),
    [KEYS.part]: place ? asked("wrong_part") : undefined,
    [KEYS.expected]: judging ? () => dispatch({ type: "expecting", on: true }) : undefined,
    [KEYS.undo]: session.can_undo ? () => tell({ path: "session/undo", sent: {} }) : undefined,
    [KEYS.why]: () => dispatch({ type: "why toggled" }),
    [KEYS.back]: () => go({ key: "", time: null, place: null, view: "question" }),
    [KEYS.history]: tab("history"),
    [KEYS.origin]: tab("origin"),
    [KEYS.steps]: tab("events"),
    [KEYS.examine]: tab("variables"),
    [KEYS.output]: tab("output"),
    [KEYS.search]: () => {
      flushSync(() => go({ view: "run" }));
      document.getElementById("search")?.focus();
    },
    [KEYS.help]: () => dispatch({ type: "help", open: !open.help }),
    Escape: following.message || following.clash ? following.dismiss : undefined,
  });
}
