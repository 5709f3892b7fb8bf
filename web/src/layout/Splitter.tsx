// A bar between two panels: drag it, or move it by the arrow keys; a double click restores the usual size.

import { useRef } from "react";
import { cx } from "../parts/cx";
import styles from "./layout.module.css";

interface Props {
  label: string;
  /** Columns are side by side, rows above each other. */
  between: "columns" | "rows";
  className?: string | undefined;
  /** The size of the panel that is resized, as it is now. */
  measure: () => { size: number; whole: number };
  min: number;
  max: number;
  /** The panel is after the bar: moving the bar on makes it smaller. */
  after?: boolean;
  /** For each pixel. */
  unit?: (whole: number) => number;
  onSize: (size: number | null) => void;
  now: number | undefined;
}

/** Pixels for a key. */
const STEP = 24;

export function Splitter({ label, between, className, measure, min, max, after, unit, onSize, now }: Props) {
  const drag = useRef<{ at: number; size: number; whole: number } | null>(null);
  const sign = after ? -1 : 1;
  const moved = (size: number, whole: number, pixels: number) => {
    const scale = unit ? unit(whole) : 1;
    onSize(Math.max(min, Math.min(max, size + sign * pixels * scale)));
  };
  const position = (event: React.PointerEvent) => (between === "columns" ? event.clientX : event.clientY);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={between === "columns" ? "vertical" : "horizontal"}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={now ?? Math.round((min + max) / 2)}
      aria-valuetext={now === undefined ? "the usual size" : `${now}`}
      className={cx(styles.splitter, between === "columns" ? styles.vertical : styles.horizontal, className)}
      title="Drag to resize; double-click for the usual size"
      onDoubleClick={() => onSize(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { at: position(event), ...measure() };
      }}
      onPointerMove={(event) => {
        if (drag.current) moved(drag.current.size, drag.current.whole, position(event) - drag.current.at);
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onKeyDown={(event) => {
        const keys = between === "columns" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
        const by = keys.indexOf(event.key);
        if (event.key === "Home") onSize(null);
        else if (by >= 0) {
          const { size, whole } = measure();
          moved(size, whole, by === 0 ? -STEP : STEP);
        } else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
