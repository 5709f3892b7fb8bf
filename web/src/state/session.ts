// The session as the server has it: fetched, followed, and changed.
//
// While a change is on its way, the page keeps showing what was there: the next question appears together with the
// possibility to answer it. Otherwise a quick answer to it would be lost.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer } from "react";
import type { Exchanges, Session } from "../api";
import { address, get, post, Refused } from "../client";

type SessionPath = Extract<keyof Exchanges, `session/${string}`>;

/** A change to the session: what is posted, and where to. */
export type Change = { [P in SessionPath]: { path: P; sent: Exchanges[P]["sent"] } }[SessionPath];

export interface SessionState {
  session: Session | null;
  /** The newest version that the server announced. */
  newest: number;
  /** A change is on its way. */
  busy: boolean;
  /** The server does not answer. */
  lost: boolean;
  /** Why there is no session. */
  error: string;
  /** Why a change was refused. */
  message: string;
  /** A change that contradicts earlier answers: it can replace them. */
  clash: { message: string; change: Change } | null;
}

export type SessionAction =
  | { type: "fetched"; session: Session }
  | { type: "failed"; message: string }
  | { type: "lost" }
  | { type: "connected" }
  | { type: "announced"; version: number }
  | { type: "changing" }
  | { type: "changed"; session: Session }
  | { type: "refused"; message: string }
  | { type: "contradicted"; message: string; change: Change }
  | { type: "unanswered" }
  | { type: "dismissed" };

export const NO_SESSION: SessionState = {
  session: null,
  newest: 0,
  busy: false,
  lost: false,
  error: "",
  message: "",
  clash: null,
};

export function sessionReducer(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case "fetched":
      return { ...state, lost: false, ...(state.busy ? {} : newer(state, action.session)) };
    case "failed":
      return { ...state, error: action.message };
    case "lost":
      return { ...state, lost: true };
    case "connected":
      return { ...state, lost: false };
    case "announced":
      return { ...state, newest: action.version };
    case "changing":
      return { ...state, busy: true, message: "", clash: null };
    case "changed":
      return { ...state, busy: false, ...newer(state, action.session) };
    case "refused":
      return { ...state, busy: false, message: action.message };
    case "contradicted":
      return { ...state, busy: false, clash: { message: action.message, change: action.change } };
    case "unanswered":
      return { ...state, busy: false, lost: true };
    case "dismissed":
      return { ...state, message: "", clash: null };
  }
}

/** Take over a session, unless it is older than what is shown: answers may overtake each other. */
function newer(state: SessionState, session: Session): Partial<SessionState> {
  if (state.session && session.version < state.session.version) return {};
  return { session, error: "" };
}

export interface Following extends SessionState {
  tell: (change: Change) => void;
  /** Send the change that contradicts earlier answers again, to replace them. */
  replace: () => void;
  dismiss: () => void;
}

const RETRY_MS = 1000;
const RECONNECT_MS = 2000;

export function useSession(): Following {
  const [state, dispatch] = useReducer(sessionReducer, NO_SESSION);
  const { session, newest, busy, lost, clash } = state;
  const { data, dataUpdatedAt, error, errorUpdatedAt, refetch } = useQuery({
    queryKey: ["session"],
    queryFn: ({ signal }) => get("session", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    // A single request may fail while the stream of changes goes on.
    refetchInterval: lost && !busy ? RETRY_MS : false,
    refetchIntervalInBackground: true,
  });

  useEffect(() => {
    // Another server, at the same address: what is known belongs to the one before. Every state has an address.
    if (data && session && data.server !== session.server) window.location.reload();
    else if (data) dispatch({ type: "fetched", session: data });
  }, [data, dataUpdatedAt, session]);
  useEffect(() => {
    if (!error) return;
    dispatch(error instanceof Refused ? { type: "failed", message: error.message } : { type: "lost" });
  }, [error, errorUpdatedAt]);

  const outdated = !busy && session !== null && newest > session.version;
  useEffect(() => {
    if (outdated) void refetch({ cancelRefetch: false });
  }, [outdated, newest, dataUpdatedAt, refetch]);

  useEffect(() => {
    let stream: EventSource;
    let wasLost = false;
    let retry = 0;
    const follow = () => {
      stream = new EventSource(address("changes"));
      stream.onopen = () => {
        if (wasLost) void refetch();
        wasLost = false;
        dispatch({ type: "connected" });
      };
      stream.onmessage = (told) => dispatch({ type: "announced", version: Number(told.data) });
      stream.onerror = () => {
        wasLost = true;
        dispatch({ type: "lost" });
        if (stream.readyState === EventSource.CLOSED) retry = window.setTimeout(follow, RECONNECT_MS);
      };
    };
    follow();
    return () => {
      window.clearTimeout(retry);
      stream.close();
    };
  }, [refetch]);

  const { mutate } = useMutation({
    mutationFn: ({ path, sent }: Change) => post(path, sent),
    onSuccess: (found) => dispatch({ type: "changed", session: found }),
    onError: (problem, change) => dispatch(refusal(problem, change)),
  });
  const tell = useCallback(
    (change: Change) => {
      if (busy) return;
      dispatch({ type: "changing" });
      mutate(change);
    },
    [busy, mutate],
  );
  const replace = useCallback(() => {
    if (clash) tell({ ...clash.change, sent: { ...clash.change.sent, replace: true } } as Change);
  }, [clash, tell]);
  const dismiss = useCallback(() => dispatch({ type: "dismissed" }), []);
  return { ...state, tell, replace, dismiss };
}

const CONTRADICTS = 409;

function refusal(problem: Error, change: Change): SessionAction {
  if (!(problem instanceof Refused)) return { type: "unanswered" };
  if (problem.status === CONTRADICTS) return { type: "contradicted", message: problem.message, change };
  return { type: "refused", message: problem.message };
}
