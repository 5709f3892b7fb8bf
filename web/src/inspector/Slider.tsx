// A slider through the time of a call.

import { useEffect, useState } from "react";
import type { Events } from "../api";
import { KEYS } from "../keys";
import { Key } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import styles from "./inspector.module.css";

interface Props {
  events: Events | null;
  line: number;
  onEvent: (index: number) => void;
  onStep: (by: 1 | -1) => void;
  onEnd: () => void;
}

export function Slider({ events, line, onEvent, onStep, onEnd }: Props) {
  const { number: call, location } = usePage();
  const { time } = location;
  const total = events?.count ?? 0;
  const [dragged, setDragged] = useState<number | null>(null);
  const index = dragged ?? (time === null ? total : (events?.index ?? 0));
  const move = (to: number) => {
    if (to >= total) {
      setDragged(null);
      onEnd();
      return;
    }
    setDragged(to);
    onEvent(to);
  };
  useEffect(() => setDragged(null), [time, call]);
  return (
    <fieldset className={styles.slider} aria-label="Time">
      <button
        type="button"
        className={shared.smallButton}
        onClick={() => onStep(-1)}
        aria-label="Step back"
        title="Step back ,"
      >
        <span aria-hidden="true">◀</span> Step
      </button>
      <input
        type="range"
        min={0}
        max={total}
        value={index}
        onChange={(event) => move(Number(event.target.value))}
        aria-label="Time in the call"
        aria-valuetext={time === null ? "at its end" : `time ${time}, line ${line}`}
      />
      <button
        type="button"
        className={shared.smallButton}
        onClick={() => onStep(1)}
        aria-label="Step forward"
        title="Step forward ."
      >
        Step <span aria-hidden="true">▶</span>
      </button>
      <span className={styles.sliderText} data-testid="slider-text">
        {time === null ? "at its end" : `time ${time} · line ${line}`} <Key>{KEYS.previous}</Key> <Key>{KEYS.next}</Key>
      </span>
    </fieldset>
  );
}
