// The rounds of the loop around the selected line: the source shows what ran in one of them.

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { get } from "../client";
import { Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useKeys } from "../state/keys";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import styles from "./inspector.module.css";

export const PREVIOUS_ROUND = "{";
export const NEXT_ROUND = "}";

interface Wanted {
  call: number;
  round: number;
  /** When it ended; null: the server has not said yet. */
  time: number | null;
}

export function RoundStepper({ line }: { line: number }) {
  const queries = useQueryClient();
  const { number: call, location, go, again } = usePage();
  const { time, since } = location;
  const found = useAnswer(line > 0 ? "calls/{call}/rounds" : null, { call, line, time }, again);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const latest = useRef(0);
  const { count = 0, round = 0, header = 0 } = found.data ?? {};
  // It is on its way, or the answer about its time is: what is known is about another round.
  const isOnItsWay = wanted !== null && wanted.call === call && wanted.time === null;
  const hasArrived = wanted !== null && wanted.call === call && wanted.time === time && found.loading;
  const now = isOnItsWay || hasArrived ? wanted.round : round;
  const move = async (to: number) => {
    if (to < 1 || to > count) return;
    latest.current += 1;
    const mine = latest.current;
    setWanted({ call, round: to, time: null });
    const asked = { call, line, time, round: to };
    try {
      const next = await queries.fetchQuery({
        queryKey: ["round", asked],
        queryFn: () => get("calls/{call}/rounds", asked),
      });
      if (mine !== latest.current) return;
      setWanted({ call, round: to, time: next.end });
      go({ time: next.end, since: next.start }, true);
    } catch (error) {
      if (mine === latest.current) setWanted(null);
      throw error;
    }
  };
  const isThere = count > 0;
  // While the whole loop is shown, the first key shows one round of it.
  const step = (by: 1 | -1) => move(since === null && !isOnItsWay ? now : now + by);
  useKeys({
    [PREVIOUS_ROUND]: isThere ? () => step(-1) : undefined,
    [NEXT_ROUND]: isThere ? () => step(1) : undefined,
  });
  if (!isThere) return null;
  return (
    <fieldset className={styles.slider} aria-label="Rounds" aria-busy={isOnItsWay || hasArrived} data-testid="rounds">
      <button
        type="button"
        className={shared.smallButton}
        onClick={() => step(-1)}
        aria-label="Previous round"
        title={`Previous round ${PREVIOUS_ROUND}`}
      >
        <span aria-hidden="true">◀</span> Round
      </button>
      <input
        type="range"
        min={1}
        max={count}
        value={now}
        onChange={(event) => move(Number(event.target.value))}
        aria-label={`Round of the loop at line ${header}`}
        aria-valuetext={`round ${now} of ${count}`}
      />
      <button
        type="button"
        className={shared.smallButton}
        onClick={() => step(1)}
        aria-label="Next round"
        title={`Next round ${NEXT_ROUND}`}
      >
        Round <span aria-hidden="true">▶</span>
      </button>
      <span className={styles.sliderText} data-testid="round-text">
        round {now.toLocaleString("en")} of {count.toLocaleString("en")}, line {header} <Key>{PREVIOUS_ROUND}</Key>{" "}
        <Key>{NEXT_ROUND}</Key>
      </span>
      {since !== null && (
        <button type="button" className={shared.smallButton} onClick={() => go({ since: null })}>
          All rounds
        </button>
      )}
    </fieldset>
  );
}
