// A small line chart: numbers over the time of the run. The list below it has the same in words.

import { useSize } from "../parts/size";
import styles from "./inspector.module.css";

const HEIGHT = 64;
const MARGIN = 5;
/** Of more points, the dots are small. */
const FEW = 60;
const LARGE = 2.5;
const SMALL = 1.5;

interface Point {
  x: number;
  y: number;
}

interface Props<P extends Point> {
  /** What is drawn. */
  name: string;
  points: readonly P[];
  onPoint: (point: P) => void;
  /** The selected time, if there is one: a line shows it. */
  now?: number | null;
}

export function Chart<P extends Point>({ name, points, onPoint, now = null }: Props<P>) {
  const [wrap, { width }] = useSize<HTMLDivElement>();
  const [first, last] = [points[0], points.at(-1)];
  const ys = points.map(({ y }) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const x = (point: Pick<Point, "x">) => MARGIN + share(point.x, first?.x ?? 0, last?.x ?? 1) * (width - 2 * MARGIN);
  const y = (point: Point) => HEIGHT - MARGIN - share(point.y, low, high) * (HEIGHT - 2 * MARGIN);
  const isInside = now !== null && !!first && !!last && first.x <= now && now <= last.x;
  const at = isInside ? x({ x: now }) : 0;
  const nearest = (clicked: number) =>
    points.reduce<P | undefined>(
      (best, point) => (best && Math.abs(x(best) - clicked) <= Math.abs(x(point) - clicked) ? best : point),
      undefined,
    );
  return (
    <div className={styles.chart} data-testid="chart">
      <span className={styles.chartRange}>
        <span>{high.toLocaleString("en")}</span>
        <span>{low < high && low.toLocaleString("en")}</span>
      </span>
      <div ref={wrap} className={styles.chartDrawn}>
        {width > 0 && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list below has the same points
          <svg
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={`${name} over time, from ${low} to ${high}`}
            onClick={(event) => {
              const point = nearest(event.clientX - event.currentTarget.getBoundingClientRect().left);
              if (point) onPoint(point);
            }}
          >
            <polyline points={points.map((point) => `${x(point)},${y(point)}`).join(" ")} />
            {points.map((point) => (
              <circle
                key={`${point.x} ${point.y}`}
                cx={x(point)}
                cy={y(point)}
                r={points.length <= FEW ? LARGE : SMALL}
              />
            ))}
            {isInside && <line className={styles.now} x1={at} x2={at} y1={0} y2={HEIGHT} data-testid="chart-now" />}
          </svg>
        )}
      </div>
    </div>
  );
}

/** Where a number lies between two others, from 0 to 1. */
function share(number: number, from: number, to: number): number {
  return to > from ? (number - from) / (to - from) : 0.5;
}
