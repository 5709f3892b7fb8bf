// The state of the page for all its parts: the session, where the user is, what is open, and what can be done.

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useReducer } from "react";
import type { Call, Part, Question, Session, Verdict } from "../api";
import { get } from "../client";
import { firstCall, type Go, type Location, type Place, useLocation } from "./location";
import { EDITORS, type Editor, useRemembered } from "./preferences";
import { type Fetched, Growing, useAnswer } from "./requests";
import type { Change, Following } from "./session";
import { type PanelSizes, usePanelSizes } from "./sizes";
import { type Theme, useTheme } from "./theme";

// -- what is open ------------------------------------------------------------------------------------

export interface Open {
  /** The answer whose effect the tree and the picture show. */
  preview: Verdict | null;
  why: boolean;
  help: boolean;
  settings: boolean;
  /** The field for what would have been right. */
  expecting: boolean;
  /** The picture marks the calls of functions with this in their names. */
  highlight: string;
  /** The tree and the picture show the bodies of classes and modules, too. */
  bodies: boolean;
  /** The key of the question or finding that all this belongs to. */
  step: string;
}

export type OpenAction =
  | { type: "previewed"; verdict: Verdict | null }
  | { type: "why toggled" }
  | { type: "help"; open: boolean }
  | { type: "settings"; open: boolean }
  | { type: "expecting"; on: boolean }
  | { type: "highlighted"; text: string }
  | { type: "bodies toggled" }
  | { type: "answered" }
  | { type: "asked"; step: string };

export function openReducer(open: Open, action: OpenAction): Open {
  switch (action.type) {
    case "previewed":
      return { ...open, preview: action.verdict };
    case "why toggled":
      return { ...open, why: !open.why };
    case "help":
      return { ...open, help: action.open };
    case "settings":
      return { ...open, settings: action.open };
    case "expecting":
      return { ...open, expecting: action.on };
    case "highlighted":
      return { ...open, highlight: action.text };
    case "bodies toggled":
      return { ...open, bodies: !open.bodies };
    case "answered":
      return { ...open, expecting: false, preview: null };
    case "asked":
      return { ...open, why: false, step: action.step };
  }
}

// -- the page ----------------------------------------------------------------------------------------

export interface Page {
  session: Session;
  following: Following;
  theme: Theme;
  setTheme: (theme: Theme) => void;
  /** Where source lines are opened. */
  editor: Editor;
  setEditor: (editor: Editor) => void;
  panels: PanelSizes;
  location: Location;
  go: Go;
  open: Open;
  dispatch: (action: OpenAction) => void;
  /** The question, if the session asks one. */
  question: Question | null;
  /** A call is looked at that is not the one in question. */
  isLooking: boolean;
  /** The source is in the middle: of a bug that was found, or of a call that is searched inside. */
  sourceInMiddle: boolean;
  /** The node in the middle, and its first call; "" and 0: none. */
  key: string;
  number: number;
  /** The call in the middle; null: not there yet, or none. */
  call: Call | null;
  looked: Fetched<Call>;
  /** Changes when what is known of the call in the middle may have changed. */
  again: number;
  /** The picked value, if it belongs to the call in the middle. */
  place: Place | null;
  tell: (change: Change) => void;
  /** Judge what is in the middle. */
  judge: (verdict: Verdict, expected?: string) => void;
  /** Search inside the call in the middle, which is wrong. */
  goInside: () => void;
  /** Stop the search inside a call, and show the call. */
  stopAtCall: () => void;
  /** Look at a call, or at a time inside it. */
  look: (key: string, time?: number) => void;
  /** Go to where the value at a place was made. */
  follow: (place: Place) => void;
}

const EDITOR_NAMES = EDITORS.map(({ name }) => name);

const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = use(PageContext);
  if (!page) throw new Error("usePage needs a PageProvider");
  return page;
}

interface Props {
  following: Following;
  session: Session;
  children: ReactNode;
}

export function PageProvider({ following, session, children }: Props) {
  return (
    <Growing value={session.growing}>
      <PageState following={following} session={session}>
        {children}
      </PageState>
    </Growing>
  );
}

function PageState({ following, session, children }: Props) {
  const queries = useQueryClient();
  const [theme, setTheme] = useTheme();
  const [editor, setEditor] = useRemembered<Editor>("editor", EDITOR_NAMES, "vscode");
  const panels = usePanelSizes();
  const [location, go] = useLocation();
  const { step } = session;
  const asked = step.kind === "question" || step.kind === "finding" ? step : null;
  const stepKey = asked?.key ?? "";
  const inside = step.kind === "question" ? step.inside : null;
  const stepName = inside ? `${stepKey}@${inside.boundary}` : stepKey;
  const [open, dispatch] = useReducer(openReducer, {
    preview: null,
    why: false,
    help: false,
    settings: false,
    expecting: false,
    highlight: "",
    bodies: false,
    // The source beside a question inside a call is that of its time; a link may lead to another one.
    step: inside && location.time === null ? "" : stepName,
  });
  const isLooking = location.key !== "" && location.key !== stepKey;
  const key = isLooking ? location.key : stepKey;
  const number = key ? firstCall(key) : 0;
  const looked = useAnswer(
    isLooking ? "calls/{call}" : null,
    { call: number },
    session.growing ? session.entries.length : session.version,
  );
  const call = isLooking ? (looked.stale ? null : looked.data) : (asked?.call ?? null);
  const place = location.place?.of === number ? location.place : null;

  // The address of the question itself names no call.
  useEffect(() => {
    if (!isLooking && location.key) go({ key: "" }, true);
  }, [isLooking, location.key, go]);
  // A new question is looked at from the beginning.
  useEffect(() => {
    if (open.step === stepName) return;
    dispatch({ type: "asked", step: stepName });
    go({ key: "", time: inside?.time ?? null, place: null, view: "question" });
  }, [open.step, stepName, inside, go]);

  const tell = (change: Change) => {
    following.tell(change);
    dispatch({ type: "answered" });
  };
  const judge = (verdict: Verdict, expected?: string) => {
    const part = verdict === "wrong_part" ? partOf(place) : null;
    if (!key || (verdict === "wrong_part" && !part)) return;
    // Of a group that is looked at, the first call is shown: it is the one that is judged.
    const about = isLooking ? String(number) : key;
    const sent = {
      key: about,
      verdict,
      ...(part ? { part } : {}),
      ...(expected ? { expected } : {}),
      ...(inside && !isLooking ? { boundary: inside.boundary } : {}),
    };
    tell({ path: isLooking ? "session/judge" : "session/answer", sent });
  };
  const goInside = () => tell({ path: "session/inside", sent: { key: String(number) } });
  const stopAtCall = () => tell({ path: "session/stop-at-call", sent: {} });
  const look = (to: string, time?: number) => {
    go({ key: to === stepKey ? "" : to, time: time ?? null, view: time === undefined ? "question" : "inside" });
  };
  const follow = async (from: Place) => {
    const trail = { place: from, tab: "origin" };
    const parameters = { call: from.of, place: from.path, time: from.at };
    try {
      const origin = await queries.fetchQuery({
        queryKey: ["follow", parameters, session.growing && session.version],
        queryFn: () => get("calls/{call}/origin", parameters),
      });
      const last = origin.links.at(-1);
      const made = origin.made_by || (last?.call ?? 0);
      if (!made) return go(trail);
      const to = String(made);
      go({ ...trail, key: to === stepKey ? "" : to, time: last?.time ?? null, view: "inside" });
    } catch {
      go(trail); // which shows what is wrong
    }
  };

  const page: Page = {
    session,
    following,
    theme,
    setTheme,
    editor,
    setEditor,
    panels,
    location,
    go,
    open,
    dispatch,
    question: step.kind === "question" ? step : null,
    isLooking,
    sourceInMiddle: !isLooking && (inside !== null || (step.kind === "finding" && step.call !== null)),
    key,
    number,
    call,
    looked,
    // A call that has ended does not change any more.
    again: session.growing && call && call.exit < 0 ? session.version : 0,
    place,
    tell,
    judge,
    goInside,
    stopAtCall,
    look,
    follow,
  };
  return <PageContext value={page}>{children}</PageContext>;
}

/** The part of a question that a picked value is; null: it is none, as a variable of the call's own. */
export function partOf(place: Place | null): Part | null {
  if (!place || place.side === "" || place.side === "variable") return null;
  return { where: place.side, path: place.path };
}
