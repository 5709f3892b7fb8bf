// The page: the question in the middle, the run on the left, the inside of a call on the right.

import { type CSSProperties, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Call, Session, Verdict } from "./api";
import { Inspector } from "./inspector/Inspector";
import { KEYS } from "./keys";
import { Announcement } from "./layout/Announcement";
import { FirstVisit } from "./layout/FirstVisit";
import { Head } from "./layout/Head";
import { Help } from "./layout/Help";
import styles from "./layout/layout.module.css";
import { Gone, Notices } from "./layout/Notices";
import { Settings } from "./layout/Settings";
import { Splitter } from "./layout/Splitter";
import { cx } from "./parts/cx";
import { State } from "./parts/marks";
import { Icicle } from "./picture/Icicle";
import { ComparePanel } from "./question/Compare";
import { ContradictionPanel, FindingPanel, LookedAt, NothingPanel, QuestionPanel } from "./question/Panels";
import { useKeptFocus } from "./state/focus";
import { useKeys } from "./state/keys";
import { PageProvider, usePage } from "./state/page";
import { useSession } from "./state/session";
import type { Sizes } from "./state/sizes";
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

/** The sizes that splitters gave to panels, as variables of the style. */
function sizeStyle(sizes: Sizes, finding: boolean): CSSProperties {
  const right = finding ? sizes.rightOfFinding : sizes.right;
  return {
    ...(sizes.left !== undefined && { "--left-width": `${sizes.left}px` }),
    ...(right !== undefined && { "--right-width": `${right}px` }),
    ...(sizes.picture !== undefined && { "--picture-height": `${sizes.picture}%` }),
    ...(sizes.source !== undefined && { "--source-height": `${sizes.source}%` }),
  } as CSSProperties;
}

/** The widest that a column at the side can be. */
const MAX_COLUMN = 1400;

function Workspace() {
  const { session, location, go, open, panels, sourceInMiddle } = usePage();
  usePageKeys();
  useKeptFocus();
  const left = useRef<HTMLElement | null>(null);
  const right = useRef<HTMLElement | null>(null);
  const rightName = sourceInMiddle ? "rightOfFinding" : "right";
  return (
    <div
      className={cx(
        styles.workspace,
        styles[VIEW_CLASSES[location.view] ?? ""],
        sourceInMiddle && styles.findingLayout,
      )}
      style={sizeStyle(panels.sizes, sourceInMiddle)}
      data-testid="workspace"
      data-version={session.version}
    >
      <Head />
      <div className={styles.notices}>
        <Notices />
        <FirstVisit />
      </div>
      <nav className={styles.views} aria-label="Views">
        {VIEWS.map(([name, text]) => (
          <button key={name} type="button" aria-pressed={location.view === name} onClick={() => go({ view: name })}>
            {text}
          </button>
        ))}
      </nav>
      <aside ref={left} className={styles.sideLeft} aria-label="The run" tabIndex={-1}>
        <Icicle />
        <Splitter
          label="Height of the picture"
          between="rows"
          measure={() => {
            const whole = left.current?.clientHeight ?? 1;
            return { size: ((left.current?.firstElementChild?.clientHeight ?? 0) / whole) * 100, whole };
          }}
          unit={(whole) => 100 / whole}
          min={10}
          max={80}
          now={panels.sizes.picture}
          onSize={(size) => panels.resize("picture", size)}
        />
        <Tree />
      </aside>
      <Splitter
        label="Width of the run"
        between="columns"
        className={styles.splitLeft}
        measure={() => ({ size: left.current?.offsetWidth ?? 0, whole: window.innerWidth })}
        min={180}
        max={MAX_COLUMN}
        now={panels.sizes.left}
        onSize={(size) => panels.resize("left", size)}
      />
      <main className={styles.middle} tabIndex={-1}>
        <Middle />
      </main>
      <Splitter
        label="Width of the inside of the call"
        between="columns"
        className={styles.splitRight}
        measure={() => ({ size: right.current?.offsetWidth ?? 0, whole: window.innerWidth })}
        min={260}
        max={MAX_COLUMN}
        after
        now={panels.sizes[rightName]}
        onSize={(size) => panels.resize(rightName, size)}
      />
      <aside ref={right} className={styles.sideRight} aria-label="Inside the call" tabIndex={-1}>
        <Inside />
      </aside>
      <Announcement />
      {open.help && <Help />}
      {open.settings && <Settings />}
    </div>
  );
}

/** What the middle shows: a call that is looked at, or the step of the session. */
type Shown = { call: Call } | { step: Session["step"] };

function Middle() {
  const { session, isLooking, looked, location, number } = usePage();
  const { step } = session;
  const ready = !isLooking || !looked.stale;
  const now: Shown | null = !isLooking ? { step } : ready && looked.data ? { call: looked.data } : null;
  const [last, setLast] = useState<Shown>({ step });
  const known = isLooking ? looked.data : step;
  useEffect(() => {
    if (ready && known) setLast("kind" in known ? { step: known } : { call: known });
  }, [ready, known]);
  if (isLooking && looked.error)
    return (
      <State kind="error" framed>
        {looked.error}
      </State>
    );
  if (location.compare && location.pin !== null && location.pin !== number && number > 0)
    return <ComparePanel first={location.pin} second={number} />;
  // What was there stays, with a mark, until the call is there: a click never blanks the panel.
  return (
    <div className={styles.shown} aria-busy={now === null} inert={now === null}>
      <ShownInMiddle shown={now ?? last} />
    </div>
  );
}

function ShownInMiddle({ shown }: { shown: Shown }) {
  if ("call" in shown) return <LookedAt call={shown.call} />;
  const { step } = shown;
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
  const { session, following, open, dispatch, isLooking, call, place, location, go, tell, judge, ...page } = usePage();
  const { step } = session;
  const { busy } = following;
  // A call that is not shown yet is not judged.
  const judging = call !== null && (step.kind === "question" || isLooking);
  const asked = (verdict: Verdict) => (judging && !busy ? () => judge(verdict) : undefined);
  const isInside = step.kind === "question" && step.inside !== null && !isLooking;
  const isOneCall = isLooking || (step.kind === "question" && step.calls === 1);
  const askedCall = (verdict: Verdict) => (isInside ? undefined : asked(verdict));
  const canGoInside = step.kind === "finding" && !isLooking ? step.can_go_inside : judging && !isInside && isOneCall;
  const finding = step.kind === "finding" && !isLooking && !step.confirmed && !busy;
  const tab = (name: string) => () => go({ tab: name, view: "inside" });
  /** What Escape closes: the topmost of what is open. */
  const closing = (): (() => void) | undefined => {
    if (following.message || following.clash) return following.dismiss;
    if (open.expecting) return () => dispatch({ type: "expecting", on: false });
    if (open.why) return () => dispatch({ type: "why toggled" });
    if (location.place) return () => go({ place: null });
    if (location.time !== null) return () => go({ time: null });
    if (location.compare) return () => go({ compare: false });
    return isLooking ? () => go({ key: "", view: "question" }) : undefined;
  };
  useKeys({
    [KEYS.yes]: finding ? () => tell({ path: "session/confirm", sent: {} }) : asked("right"),
    [KEYS.no]: finding ? () => tell({ path: "session/reject", sent: {} }) : asked("wrong"),
    [KEYS.dontKnow]: asked("dont_know"),
    [KEYS.trust]: askedCall("trust_function"),
    [KEYS.trustModule]: askedCall("trust_module"),
    [KEYS.inadmissible]: askedCall("inadmissible"),
    [KEYS.inside]: canGoInside && !busy ? page.goInside : undefined,
    [KEYS.found]: isInside && !busy ? page.stopAtCall : undefined,
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
    Escape: closing(),
  });
}
