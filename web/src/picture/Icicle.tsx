// The whole run as a picture: the suspects, the cleared calls, and the question.

import { useEffect, useMemo, useRef, useState } from "react";
import type { Box, NodeStatus, Picture, Question, Verdict } from "../api";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
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
  { name: "suspects", text: "●", label: "Suspects", title: "Only the calls where the bug can be" },
  { name: "call", text: "▾", label: "This call", title: "Only this call and those below it" },
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
  const query = { width: Math.max(size.width, 100), key: zoom || null };
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
        <span className={shared.quiet}>{under ? told(under) : zoom ? `below #${zoom}` : count(calls, "call")}</span>
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
          aria-label={`Picture of the run: ${count(calls, "call")}. The tree below has the same in words.`}
          onMouseMove={(event) => setUnder(at(event))}
          onMouseLeave={() => setUnder(null)}
          onClick={(event) => {
            const box = at(event);
            if (box) look(box[5]);
          }}
          onDoubleClick={() => setShown("call")}
        />
      </div>
    </section>
  );
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
      pen.fillText(clipped(pen, name, width - 6), left + 3, depth * step + step / 2);
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
