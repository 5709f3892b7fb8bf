// Objects that refer to each other, drawn: boxes that can be focused and picked, above arrows. The server places them.

import { type KeyboardEvent, useRef, useState } from "react";
import type { DrawnGraph, GraphEdge, GraphField, GraphNode } from "../api";
import { cx } from "../parts/cx";
import { count, State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { useSize } from "../parts/size";
import { useAnswer } from "../state/requests";
import styles from "./graph.module.css";
import { edgeCurve, leads, STEPS, stateWords, stepFrom } from "./graphs";
import type { OpenedProps } from "./registry";
import type { Picking } from "./Values";

const MARGIN = 12;
/** What is drawn smaller can't be read. */
const SMALLEST = 0.35;

export default function Graph({ value, path, ...picking }: OpenedProps) {
  const { time, against } = picking;
  const found = useAnswer("objects/{object}/graph", { object: value.object, time, other: against ?? null });
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Drawing…</State>;
  return <Drawing graph={found.data} path={path} picking={picking} />;
}

interface DrawingProps {
  graph: DrawnGraph;
  path: string;
  picking: Picking;
}

function Drawing({ graph, path, picking }: DrawingProps) {
  const [fits, setFits] = useState(false);
  const [current, setCurrent] = useState(0);
  const [frame, { width }] = useSize<HTMLDivElement>();
  const boxes = useRef<HTMLElement | null>(null);
  const whole = { width: graph.width + 2 * MARGIN, height: graph.height + 2 * MARGIN };
  const scale = fits && width > 0 ? Math.min(Math.max(width / whole.width, SMALLEST), 1) : 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const way = STEPS[event.key];
    const to = way && stepFrom(graph, current, way);
    if (to === undefined) return;
    event.preventDefault();
    setCurrent(to);
    boxes.current?.querySelector<HTMLElement>(`[data-node="${to}"]`)?.focus();
  };
  const changes = graph.nodes.filter(({ state }) => state !== "same").length;
  return (
    <section className={styles.framed} aria-label={`Graph of ${path}`} data-testid="graph">
      <div className={styles.bar}>
        <span>
          {count(graph.nodes.length, "object")}
          {changes > 0 && `, ${changes.toLocaleString("en")} of them changed, new or gone`}
          {graph.more > 0 && `; ${count(graph.more, "more object")} not drawn`}
        </span>
        <span className={shared.quiet}>arrow keys follow the arrows</span>
        <button
          type="button"
          className={cx(shared.smallButton, styles.last)}
          aria-pressed={fits}
          onClick={() => setFits(!fits)}
        >
          Fit
        </button>
      </div>
      <div className={styles.scroller} ref={frame}>
        <div style={{ width: whole.width * scale, height: whole.height * scale }}>
          <div className={styles.canvas} style={{ ...whole, transform: `scale(${scale})` }}>
            <Arrows graph={graph} size={whole} />
            <fieldset
              className={styles.boxes}
              aria-label={`Objects of ${path}`}
              ref={(element) => {
                boxes.current = element;
              }}
              onKeyDown={onKeyDown}
            >
              {graph.nodes.map((node, number) => (
                <Box
                  key={node.object}
                  graph={graph}
                  number={number}
                  path={path}
                  isCurrent={number === current}
                  picking={picking}
                  onFocus={() => setCurrent(number)}
                />
              ))}
            </fieldset>
          </div>
        </div>
      </div>
      <AsText graph={graph} path={path} picking={picking} />
    </section>
  );
}

interface BoxProps {
  graph: DrawnGraph;
  number: number;
  path: string;
  isCurrent: boolean;
  picking: Picking;
  onFocus: () => void;
}

function Box({ graph, number, path, isCurrent, picking, onFocus }: BoxProps) {
  const node = graph.nodes[number] as GraphNode;
  const place = path + node.path;
  const canPick = picking.pick && node.here;
  return (
    <button
      type="button"
      className={cx(styles.box, styles[node.state], picking.picked === place && styles.picked)}
      style={{ left: node.x + MARGIN, top: node.y + MARGIN, width: node.width, minHeight: node.height }}
      tabIndex={isCurrent ? 0 : -1}
      data-node={number}
      data-testid="graph-node"
      data-state={node.state}
      aria-pressed={canPick ? picking.picked === place : undefined}
      title={place}
      onFocus={onFocus}
      onClick={() => canPick && picking.pick?.(place)}
    >
      <span className={styles.head}>
        {node.title} <span className={styles.number}>#{node.object}</span>
      </span>
      {node.fields.map((field) => (
        <span key={field.label} className={styles.field} data-changed={field.other !== null || undefined}>
          {field.label} = <FieldText field={field} picking={picking} />
        </span>
      ))}
      {node.more > 0 && <span className={styles.field}>… {node.more} more</span>}
      <span className={shared.visuallyHidden}>; {[...stateOf(node), ...arrowsOf(graph, number)].join("; ")}</span>
    </button>
  );
}

/** What a field is; if it is something else at the other time, the earlier value first. */
function FieldText({ field, picking }: { field: GraphField; picking: Picking }) {
  if (field.other === null) return field.text;
  const [before, after] = inOrder(field.text, field.other, picking);
  return (
    <>
      <del>{before}</del> → {after}
    </>
  );
}

function inOrder(text: string, other: string, { time, against }: Picking): [string, string] {
  return against !== undefined && against > time ? [text, other] : [other, text];
}

/** A box in words: what it is, what it holds, where it leads. */
function described(graph: DrawnGraph, number: number, place: string, picking: Picking): string {
  const node = graph.nodes[number] as GraphNode;
  const fields = node.fields.map(({ label, text, other }) => {
    const [before, after] = other === null ? ["", text] : inOrder(text, other, picking);
    return `${label} ${after}${before && `, was ${before}`}`;
  });
  const head = `${place}: ${node.title} #${node.object}`;
  return [head, ...stateOf(node), ...fields, ...arrowsOf(graph, number)].join("; ");
}

function stateOf({ state }: GraphNode): string[] {
  return state === "same" ? [] : [stateWords(state)];
}

/** The arrows from a box in words. */
function arrowsOf(graph: DrawnGraph, number: number): string[] {
  return leads(graph, number).map(({ label, target, state }) => {
    const to = graph.nodes[target];
    return `${label} leads to ${to?.title} #${to?.object}${state === "same" ? "" : `, ${stateWords(state)}`}`;
  });
}

function Arrows({ graph, size }: { graph: DrawnGraph; size: { width: number; height: number } }) {
  return (
    <svg className={styles.arrows} width={size.width} height={size.height} aria-hidden="true">
      <defs>
        <marker
          id="graph-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0 L8 4 L0 8 z" />
        </marker>
      </defs>
      <g transform={`translate(${MARGIN} ${MARGIN})`}>
        {graph.edges.map((edge) => (
          <Arrow key={`${edge.source} ${edge.label} ${edge.target}`} graph={graph} edge={edge} />
        ))}
      </g>
    </svg>
  );
}

function Arrow({ graph, edge }: { graph: DrawnGraph; edge: GraphEdge }) {
  const { path, label } = edgeCurve(graph, edge);
  return (
    <g className={cx(styles.arrow, styles[`${edge.state}Arrow`])}>
      <path d={path} markerEnd="url(#graph-arrow)" />
      <text x={label.x} y={label.y}>
        {edge.label}
      </text>
    </g>
  );
}

/** The same as the drawing, as a list. */
function AsText({ graph, path, picking }: DrawingProps) {
  return (
    <details className={styles.words}>
      <summary>As text</summary>
      <ul data-testid="graph-words">
        {graph.nodes.map((node, number) => (
          <li key={node.object}>{described(graph, number, path + node.path, picking)}</li>
        ))}
      </ul>
    </details>
  );
}
