// The rounds of the loop around the selected line: the source shows what ran in one of them.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get } from "../client";
import { Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useKeys } from "../state/keys";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import styles from "./inspector.module.css";

export const PREVIOUS_ROUND = "{";
export const NEXT_ROUND = "}";

export function RoundStepper({ line }: { line: number }) {
  const queries = useQueryClient();
  const { number: call, location, go, again } = usePage();
  const { time, since } = location;
  const found = useAnswer(line > 0 ? "calls/{call}/rounds" : null, { call, line, time }, again);
  const [dragged, setDragged] = useState<number | null>(null);
  useEffect(() => setDragged(null), [time, call]);
  const { count = 0, round = 0, header = 0 } = found.data ?? {};
  const move = async (to: number) => {
    if (to < 1 || to > count) return;
    setDragged(to);
    const asked = { call, line, time, round: to };
    const next = await queries.fetchQuery({
      queryKey: ["round", asked],
      queryFn: () => get("calls/{call}/rounds", asked),
    });
    go({ time: next.end, since: next.start }, true);
  };
  const isThere = count > 0;
  const now = dragged ?? round;
  // While the whole loop is shown, the first key shows one round of it.
  const step = (by: 1 | -1) => move(since === null ? now : now + by);
  useKeys({
    [PREVIOUS_ROUND]: isThere ? () => step(-1) : undefined,
    [NEXT_ROUND]: isThere ? () => step(1) : undefined,
  });
  if (!isThere) return null;
  return (
    <fieldset className={styles.slider} aria-label="Rounds" data-testid="rounds">
      <button type="button" className={shared.smallButton} onClick={() => step(-1)} aria-label="Previous round">
        ◀
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
      <button type="button" className={shared.smallButton} onClick={() => step(1)} aria-label="Next round">
        ▶
      </button>
      <span className={styles.sliderText} data-testid="round-text">
        round {now.toLocaleString("en")} of {count.toLocaleString("en")} <Key>{PREVIOUS_ROUND}</Key>{" "}
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
