// A small line beside a variable: the numbers it had. A click opens its history, with the chart.

import type { Series } from "../api";
import { count } from "../parts/marks";
import styles from "./inspector.module.css";

const WIDTH = 72;
const HEIGHT = 16;

interface Props {
  series: Series;
  onOpen: () => void;
}

export function Sparkline({ series, onOpen }: Props) {
  const ys = series.points.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const [first, last] = [series.points[0]?.[0] ?? 0, series.points.at(-1)?.[0] ?? 1];
  const points = series.points.map(([time, y]) => {
    const x = last > first ? ((time - first) / (last - first)) * (WIDTH - 4) + 2 : WIDTH / 2;
    const share = high > low ? (y - low) / (high - low) : 0.5;
    return `${x.toFixed(1)},${(HEIGHT - 2 - share * (HEIGHT - 4)).toFixed(1)}`;
  });
  return (
    <button
      type="button"
      className={styles.sparkline}
      aria-label={`History of ${series.name}: ${count(series.count, "value")} from ${low} to ${high}`}
      title={`${count(series.count, "value")} from ${low} to ${high}: show the history`}
      onClick={onOpen}
    >
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(" ")} />
      </svg>
    </button>
  );
}
