// The session as the server has it: fetched, followed, and told things.
//
// While it is told something, what is shown stays: what comes of it is shown when the page can be told
// more. Otherwise the next question would be there already, and an answer to it would be lost.

import { useCallback, useEffect, useRef, useState } from "react";
import { address, get, post, Refused, type Session } from "./api";

export interface Following {
  session: Session | null;
  error: string;
  /** The server does not answer. */
  lost: boolean;
  busy: boolean;
  /** What an answer was refused for, and what to send to have it replace the others. */
  clash: { message: string; again: () => void } | null;
  message: string;
  tell: (what: string, sent?: object) => void;
  dismiss: () => void;
}

export function useSession(): Following {
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState("");
  const [lost, setLost] = useState(false);
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState("");
  const [clash, setClash] = useState<Following["clash"]>(null);
  const version = useRef(0);
  /** The newest version that the stream told of. */
  const newest = useRef(0);
  const telling = useRef(false);

  const take = useCallback((found: Session) => {
    if (telling.current || found.version < version.current) return;
    version.current = found.version;
    setSession(found);
    setError("");
  }, []);

  const fetchSession = useCallback(() => {
    get<Session>("session").then(take, (problem: Error) => {
      if (problem instanceof Refused) setError(problem.message);
      else setLost(true);
    });
  }, [take]);

  useEffect(() => {
    fetchSession();
    let stream: EventSource;
    let wasLost = false;
    let retry = 0;
    const follow = () => {
      stream = new EventSource(address("changes"));
      stream.onopen = () => {
        if (wasLost) fetchSession();
        wasLost = false;
        setLost(false);
      };
      stream.onmessage = (told) => {
        newest.current = Number(told.data);
        if (newest.current > version.current && !telling.current) fetchSession();
      };
      stream.onerror = () => {
        wasLost = true;
        setLost(true);
        if (stream.readyState === EventSource.CLOSED) retry = window.setTimeout(follow, 2000);
      };
    };
    follow();
    return () => {
      window.clearTimeout(retry);
      stream.close();
    };
  }, [fetchSession]);

  // A single request may fail while the stream of changes goes on.
  useEffect(() => {
    if (!lost) return;
    const trying = window.setInterval(() => {
      get<Session>("session").then(
        (found) => {
          take(found);
          setLost(false);
        },
        () => undefined, // still gone
      );
    }, 1000);
    return () => window.clearInterval(trying);
  }, [lost, take]);

  const tell = useCallback(
    (what: string, sent: object = {}) => {
      if (telling.current) return;
      telling.current = true;
      setBusy(true);
      setClash(null);
      setMessage("");
      const ended = () => {
        telling.current = false;
        setBusy(false);
      };
      post<Session>(`session/${what}`, sent).then(
        (found) => {
          ended();
          take(found);
        },
        (problem: Error) => {
          ended();
          if (newest.current > version.current) fetchSession();
          if (!(problem instanceof Refused)) setLost(true);
          else if (problem.status !== 409) setMessage(problem.message);
          else {
            const again = () => tell(what, { ...sent, replace: true });
            setClash({ message: problem.message, again });
          }
        },
      );
    },
    [take, fetchSession],
  );

  const dismiss = useCallback(() => {
    setClash(null);
    setMessage("");
  }, []);

  return { session, error, lost, busy, clash, message, tell, dismiss };
}
