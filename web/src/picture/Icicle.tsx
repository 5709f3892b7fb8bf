// The whole run as a picture: the suspects, the cleared calls, and the question.

import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Box, NodeStatus, Picture, Question, Verdict } from "../api";
import { cx } from "../parts/cx";
import { count, State, WORDS } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useSize } from "../parts/size";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import styles from "./picture.module.css";
import { isGone } from "./preview";

const COLOURS: Record<NodeStatus, string> = {
  right: "--right-faint",
  wrong: "--wrong",
  trusted: "--cleared",
  unknown: "--unknown",
  inadmissible: "--right-faint",
  explained: "--explained",
  suspect: "--suspect",
  cleared: "--cleared",
  running: "--running",
};

const LETTERS: Partial<Record<NodeStatus, string>> = {
  suspect: "--on-strong",
  wrong: "--on-wrong",
  unknown: "--text",
  explained: "--text",
  running: "--text",
};

type Shown = "run" | "suspects" | "call";

const SHOWN: { name: Shown; text: string; label: string; title: string }[] = [
  { name: "run", text: "All", label: "All: the whole run", title: "The whole run" },
  { name: "suspects", text: "Suspects", label: "Suspects", title: "Only the calls where the bug can be" },
  { name: "call", text: "This call", label: "This call", title: "Only this call and those below it" },
];

export function Icicle() {
  const { session, question, key: selected, open, theme, look } = usePage();
  const { version, calls, root } = session;
  const { preview } = open;
  const [wrap, size] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const [shown, setShown] = useState<Shown>("run");
  /** The node that each part of the run begins with; "": there is none. */
  const key: Record<Shown, string | null> = { run: null, suspects: root, call: selected };
  const zoom = key[shown] ?? "";
  const [under, setUnder] = useState<Box | null>(null);
  const [pointer, setPointer] = useState({ x: 0, y: 0 });
  /** The nodes that are drawn, if the user zoomed. */
  const [range, setRange] = useState<Range | null>(null);
  useEffect(() => setRange(null), [shown]);
  const query = {
    width: Math.max(size.width, 100),
    key: range ? null : zoom || null,
    first: range ? Math.floor(range.first) : null,
    end: range ? Math.ceil(range.end) : null,
  };
  const { data, error, loading } = useAnswer(size.width ? "icicle" : null, query, version);
  const levels = useMemo(
    () => 1 + Math.max(0, ...(data?.boxes.map((box) => box[2]) ?? []), ...(data?.dust.map((dust) => dust[2]) ?? [])),
    [data],
  );
  const step = Math.max(3, Math.min(20, Math.floor(size.height / levels)));

  useEffect(() => {
    if (canvas.current && data && size.width) {
      draw(canvas.current, data, size, step, question, selected, preview);
    }
  }, [data, size, step, question, selected, preview, theme]);

  const whole = useRef(0);
  if (data && !range && shown === "run") whole.current = data.end;
  const nodes = Math.max(whole.current, data?.end ?? 0);
  const change = (move: (now: Range) => Range) => {
    if (data) setRange(within(move(range ?? { first: data.first, end: data.end }), nodes));
  };
  const changeByWheel = useEffectEvent(change);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // React's own handler could not keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const share = (event.clientX - box.left) / Math.max(box.width, 1);
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
        changeByWheel((now) => panned(now, event.deltaX / box.width));
      else changeByWheel((now) => zoomed(now, share, event.deltaY > 0 ? 1.25 : 0.8));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
  const drag = useRef<{ x: number; moved: boolean } | null>(null);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      "+": () => change((now) => zoomed(now, 0.5, 0.5)),
      "=": () => change((now) => zoomed(now, 0.5, 0.5)),
      "-": () => change((now) => zoomed(now, 0.5, 2)),
      ArrowLeft: () => change((now) => panned(now, -0.2)),
      ArrowRight: () => change((now) => panned(now, 0.2)),
      "0": () => setRange(null),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };

  const at = (event: React.MouseEvent): Box | null => {
    if (!data || !canvas.current) return null;
    const box = canvas.current.getBoundingClientRect();
    const node = data.first + ((event.clientX - box.left) / size.width) * (data.end - data.first);
    const level = Math.floor((event.clientY - box.top) / step);
    return data.boxes.find((b) => b[2] === level && b[0] <= node && node < b[1]) ?? null;
  };

  return (
    <section className={cx(shared.panel, styles.icicle)} aria-label="The whole run" aria-busy={loading}>
      <header className={shared.panelHead}>
        <h2>Run</h2>
        <span className={shared.quiet} data-testid="picture-text">
          {under
            ? told(under)
            : range
              ? `${count(drawn(range), "node")} of ${nodes.toLocaleString("en")}`
              : zoom
                ? `below #${zoom}`
                : count(calls, "call")}
        </span>
        {range && (
          <button type="button" className={shared.smallButton} onClick={() => setRange(null)}>
            Whole
          </button>
        )}
        <fieldset className={shared.choices} aria-label="Show">
          {SHOWN.map(({ name, text, label, title }) => (
            <button
              key={name}
              type="button"
              aria-pressed={shown === name}
              aria-label={label}
              title={title}
              disabled={key[name] === ""}
              onClick={() => setShown(name)}
            >
              {text}
            </button>
          ))}
        </fieldset>
      </header>
      <div className={styles.icicleWrap} ref={wrap}>
        {error && <State kind="error">{error}</State>}
        <canvas
          ref={canvas}
          role="img"
          tabIndex={0}
          aria-label={`Picture of the run: ${count(calls, "call")}. Plus and minus zoom, arrows move. The tree below has the same in words.`}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, moved: false };
          }}
          onPointerUp={(event) => {
            const box = at(event);
            if (box && drag.current && !drag.current.moved) look(box[5]);
            drag.current = null;
          }}
          onPointerMove={(event) => {
            setUnder(at(event));
            setPointer({ x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY });
            const from = drag.current;
            if (!from || event.buttons === 0 || Math.abs(event.clientX - from.x) < (from.moved ? 1 : 4)) return;
            const by = (from.x - event.clientX) / Math.max(size.width, 1);
            drag.current = { x: event.clientX, moved: true };
            change((now) => panned(now, by));
          }}
          onPointerLeave={() => {
            setUnder(null);
            drag.current = null;
          }}
          onDoubleClick={() => setShown("call")}
        />
        {under && !drag.current?.moved && (
          <div
            className={styles.tooltip}
            data-testid="picture-tooltip"
            style={{ left: Math.min(pointer.x + 12, Math.max(size.width - 180, 0)), top: pointer.y + 14 }}
          >
            {told(under)} · {WORDS[under[3]]}
          </div>
        )}
      </div>
    </section>
  );
}

interface Range {
  first: number;
  end: number;
}

/** The least nodes that are drawn. */
const FEWEST = 4;

function drawn({ first, end }: Range): number {
  return Math.ceil(end) - Math.floor(first);
}

/** A range around the same share of it, larger or smaller by a factor. */
export function zoomed({ first, end }: Range, share: number, factor: number): Range {
  const size = Math.max((end - first) * factor, FEWEST);
  const fixed = first + share * (end - first);
  return { first: fixed - share * size, end: fixed + (1 - share) * size };
}

export function panned({ first, end }: Range, share: number): Range {
  const by = share * (end - first);
  return { first: first + by, end: end + by };
}

/** The same range inside a run; null: it is all of it. */
export function within({ first, end }: Range, nodes: number): Range | null {
  const size = end - first;
  if (size >= nodes) return null;
  const start = Math.max(0, Math.min(nodes - size, first));
  return { first: start, end: start + size };
}

function told([node, end, , , , key, name]: Box): string {
  const below = end - node - 1;
  return `${name} #${key}${below > 0 ? ` · made ${count(below, "call")}` : ""}`;
}

function draw(
  canvas: HTMLCanvasElement,
  data: Picture,
  size: { width: number; height: number },
  step: number,
  question: Question | null,
  selected: string,
  preview: Verdict | null,
): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = size.width * ratio;
  canvas.height = size.height * ratio;
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const scale = size.width / Math.max(data.end - data.first, 1);
  const x = (node: number) => (node - data.first) * scale;
  pen.clearRect(0, 0, size.width, size.height);
  for (const [first, end, depth, share] of data.dust) {
    pen.fillStyle = colour("--cleared");
    pen.fillRect(x(first), depth * step, Math.max(x(end) - x(first), 1), step - 1);
    pen.globalAlpha = share * 0.6;
    pen.fillStyle = colour("--suspect");
    pen.fillRect(x(first), depth * step, Math.max(x(end) - x(first), 1), step - 1);
    pen.globalAlpha = 1;
  }
  pen.font = `${Math.min(11, step - 4)}px ${colour("--mono")}`;
  pen.textBaseline = "middle";
  for (const [node, end, depth, status, , , name] of data.boxes) {
    const left = x(node);
    const width = x(end) - left;
    const gone = preview && question && isGone(preview, question, { node, end });
    pen.globalAlpha = gone && status === "suspect" ? 0.25 : 1;
    pen.fillStyle = colour(COLOURS[status]);
    pen.fillRect(left, depth * step, Math.max(width - (width > 3 ? 1 : 0), 0.5), step - 1);
    pen.globalAlpha = 1;
    if (width > 30 && step >= 12) {
      pen.fillStyle = colour(LETTERS[status] ?? "--quiet");
      // Of a box that begins outside, the name is at the edge.
      const hidden = Math.max(-left, 0);
      pen.fillText(clipped(pen, name, width - hidden - 6), left + hidden + 3, depth * step + step / 2);
    }
  }
  const outlined = (box: Box, name: string) => {
    pen.strokeStyle = colour(name);
    pen.lineWidth = 2;
    pen.strokeRect(x(box[0]) + 1, box[2] * step, Math.max(x(box[1]) - x(box[0]) - 2, 2), step - 1);
  };
  const chosen = data.boxes.find((box) => box[5] === selected);
  if (chosen) outlined(chosen, "--text");
  const asked = question && data.boxes.find((box) => box[0] === question.node);
  if (asked) outlined(asked, "--question");
  else if (question) {
    // Too narrow to be drawn: a mark shows where it is.
    pen.fillStyle = colour("--question");
    pen.fillRect(x(question.node) - 1, 0, 3, size.height);
  }
}

function clipped(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 0 && pen.measureText(`${text.slice(0, length)}…`).width > width) length -= 1;
  return length ? `${text.slice(0, length)}…` : "";
}
