// The whole run as a picture: the suspects, the cleared calls, and the question.

import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Box, NodeStatus, Picture, Question, Verdict, Widths } from "../api";
import { cx } from "../parts/cx";
import { count, State, WORDS } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useSize } from "../parts/size";
import { usePage } from "../state/page";
import { useRemembered } from "../state/preferences";
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

const WIDTHS: Widths[] = ["calls", "time"];
const WIDTH_TITLES: Record<Widths, string> = {
  calls: "Widths show how many calls a call made",
  time: "Widths show how long a call took, in recorded events; threads and tasks have lanes of their own",
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
  const { preview, highlight, bodies } = open;
  const [wrap, size] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const [shown, setShown] = useState<Shown>("run");
  /** The node that each part of the run begins with; "": there is none. */
  const key: Record<Shown, string | null> = { run: null, suspects: root, call: selected };
  const zoom = key[shown] ?? "";
  const [under, setUnder] = useState<Box | null>(null);
  const [pointer, setPointer] = useState({ x: 0, y: 0 });
  const [widths, setWidths] = useRemembered<Widths>("widths", WIDTHS, "calls");
  /** The positions that are drawn, if the user zoomed. */
  const [range, setRange] = useState<Range | null>(null);
  useEffect(() => setRange(null), [shown, widths, bodies]);
  const query = {
    width: Math.max(size.width, 100),
    key: range ? null : zoom || null,
    first: range ? Math.floor(range.first) : null,
    end: range ? Math.ceil(range.end) : null,
    by: widths,
    search: highlight || null,
    bodies: bodies ? null : "false",
    mark: question?.node ?? null,
  };
  const { data, error, loading } = useAnswer(size.width ? "icicle" : null, query, version);
  const levels = useMemo(
    () => 1 + Math.max(0, ...(data?.boxes.map((box) => box[2]) ?? []), ...(data?.dust.map((dust) => dust[2]) ?? [])),
    [data],
  );
  const step = Math.max(3, Math.min(20, Math.floor(size.height / levels)));

  useEffect(() => {
    if (canvas.current && data && size.width) {
      draw(canvas.current, data, { size, step, question, selected, preview, highlight });
    }
  }, [data, size, step, question, selected, preview, theme, highlight]);

  const whole = data?.whole ?? 0;
  const change = (move: (now: Range) => Range) => {
    if (data) setRange(within(move(range ?? { first: data.first, end: data.end }), whole));
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
    const drawnHere = data?.boxes.find((box) => box[5] === selected);
    const here: [number, number] = drawnHere
      ? [drawnHere[0], drawnHere[1]]
      : question?.key === selected
        ? [question.node, question.end]
        : [0, 0];
    /** Look at the caller, or at the first call that is wide enough. */
    const goTo = (fits: (box: Box) => boolean, last: boolean) => {
      const near = data?.boxes.filter(fits) ?? [];
      const to = last ? near.at(-1) : near[0];
      if (to) look(to[5]);
    };
    const moves: Record<string, () => void> = {
      "+": () => change((now) => zoomed(now, 0.5, 0.5)),
      "=": () => change((now) => zoomed(now, 0.5, 0.5)),
      "-": () => change((now) => zoomed(now, 0.5, 2)),
      ArrowLeft: () => change((now) => panned(now, -0.2)),
      ArrowRight: () => change((now) => panned(now, 0.2)),
      "0": () => setRange(null),
      ArrowUp: () => goTo((box) => box[0] < here[0] && here[1] <= box[1], true),
      ArrowDown: () => goTo((box) => here[0] < box[0] && box[1] <= here[1], false),
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
    const at = data.first + ((event.clientX - box.left) / size.width) * (data.end - data.first);
    const level = Math.floor((event.clientY - box.top) / step);
    return data.boxes.findLast((b) => b[2] === level && b[7] <= at && at < b[8]) ?? null;
  };

  return (
    <section className={cx(shared.panel, styles.icicle)} aria-label="The whole run" aria-busy={loading}>
      <header className={shared.panelHead}>
        <h2>Run</h2>
        <span className={shared.quiet} data-testid="picture-text">
          {under
            ? told(under, widths)
            : range
              ? `${count(drawn(range), widths === "time" ? "event" : "call")} of ${whole.toLocaleString("en")}`
              : zoom
                ? `below #${zoom}`
                : count(calls, "call")}
        </span>
        {range && (
          <button type="button" className={shared.smallButton} onClick={() => setRange(null)}>
            Whole
          </button>
        )}
        <fieldset className={shared.choices} aria-label="Widths show">
          {WIDTHS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={widths === name}
              title={WIDTH_TITLES[name]}
              onClick={() => setWidths(name)}
            >
              {name === "calls" ? "Calls" : "Time"}
            </button>
          ))}
        </fieldset>
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
          aria-label={`Picture of the run: ${count(calls, "call")}. Plus and minus zoom, left and right move, up and down go to the caller and to the first call. The tree below has the same in words.`}
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
            {told(under, widths)} · {WORDS[under[3]]}
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

/** The least positions that are drawn. */
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

function told([node, end, , , , key, name, left, right]: Box, widths: Widths): string {
  const below = end - node - 1;
  const made = below > 0 ? ` · made ${count(below, "call")}` : "";
  return `${name} #${key}${made}${widths === "time" ? ` · ${count(right - left, "event")}` : ""}`;
}

interface Drawing {
  size: { width: number; height: number };
  step: number;
  question: Question | null;
  selected: string;
  preview: Verdict | null;
  /** Calls of functions with this in their names stand out. */
  highlight: string;
}

function draw(
  canvas: HTMLCanvasElement,
  data: Picture,
  { size, step, question, selected, preview, highlight }: Drawing,
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
  const wanted = highlight.toLowerCase();
  for (const [node, end, depth, status, , , name, from, to] of data.boxes) {
    const left = x(from);
    const width = x(to) - left;
    const gone = preview && question && isGone(preview, question, { node, end });
    const matches = wanted !== "" && name.toLowerCase().includes(wanted);
    pen.globalAlpha = (gone && status === "suspect") || (wanted !== "" && !matches) ? 0.25 : 1;
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
    pen.strokeRect(x(box[7]) + 1, box[2] * step, Math.max(x(box[8]) - x(box[7]) - 2, 2), step - 1);
  };
  for (const at of data.matches) {
    pen.fillStyle = colour("--question");
    pen.fillRect(x(at), size.height - 5, 2, 5);
  }
  pen.font = `${Math.max(Math.min(11, step - 2), 7)}px ${colour("--sans") || "sans-serif"}`;
  for (const { name, level } of data.lanes) {
    pen.fillStyle = colour("--quiet");
    pen.fillText(clipped(pen, name, size.width - 8), 3, (level - 0.5) * step);
    pen.fillStyle = colour("--line");
    pen.fillRect(0, (level - 1) * step, size.width, 1);
  }
  const chosen = data.boxes.find((box) => box[5] === selected);
  if (chosen) outlined(chosen, "--text");
  const asked = question && askedBox(data, question);
  if (asked) outlined(asked, "--question");
  else if (question && data.mark >= 0) {
    // Too narrow to be drawn: a mark shows where it is.
    pen.fillStyle = colour("--question");
    pen.fillRect(x(data.mark) - 1, 0, 3, size.height);
  }
}

/** What is asked: a call, or from the first to the last call of a group. */
function askedBox(data: Picture, { node, end, calls }: Question): Box | undefined {
  const inside = data.boxes.filter((box) => node <= box[0] && box[1] <= end);
  const level = Math.min(...inside.map((box) => box[2]));
  const members = inside.filter((box) => box[2] === level);
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last || (calls === 1 && first[0] !== node)) return undefined;
  const [, , , status, share, key, name] = first;
  return [node, end, level, status, share, key, name, first[7], last[8]];
}

function clipped(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 0 && pen.measureText(`${text.slice(0, length)}…`).width > width) length -= 1;
  return length ? `${text.slice(0, length)}…` : "";
}
