// What a drawn graph computes: curves of arrows, and which box is next when an arrow key is pressed.

import type { DrawnGraph, GraphEdge, GraphNode } from "../api";

export type Way = "on" | "back" | "up" | "down";

export const STEPS: Record<string, Way | undefined> = {
  ArrowRight: "on",
  ArrowLeft: "back",
  ArrowUp: "up",
  ArrowDown: "down",
};

const STATE_WORDS: Record<GraphNode["state"], string> = {
  same: "the same",
  new: "new",
  gone: "gone",
  changed: "changed",
};

export function stateWords(state: GraphNode["state"]): string {
  return STATE_WORDS[state];
}

/** The arrows from a box. */
export function leads({ edges }: Pick<DrawnGraph, "edges">, number: number): GraphEdge[] {
  return edges.filter(({ source }) => source === number);
}

/** The next box: along the first arrow, back along the first one that leads here, or above and below in the column. */
export function stepFrom(graph: Pick<DrawnGraph, "nodes" | "edges">, number: number, way: Way): number | undefined {
  const here = graph.nodes[number];
  if (!here) return undefined;
  if (way === "on") return leads(graph, number).find(({ target }) => target !== number)?.target;
  if (way === "back") return graph.edges.find(({ source, target }) => target === number && source !== number)?.source;
  const column = graph.nodes
    .map((node, at) => ({ node, at }))
    .filter(({ node }) => node.x === here.x && (way === "up" ? node.y < here.y : node.y > here.y))
    .sort((one, other) => Math.abs(one.node.y - here.y) - Math.abs(other.node.y - here.y));
  return column[0]?.at;
}

interface Curve {
  /** Of an SVG path. */
  path: string;
  /** Where its label is. */
  label: { x: number; y: number };
}

/** An arrow from the right side of a box to the left of another; back and across, around below. */
export function edgeCurve({ nodes }: Pick<DrawnGraph, "nodes">, { source, target }: GraphEdge): Curve {
  const from = nodes[source] as GraphNode;
  const to = nodes[target] as GraphNode;
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  if (x2 > x1) {
    const middle = (x1 + x2) / 2;
    return {
      path: `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
      label: { x: x1 + 4, y: labelY(y1, y2) },
    };
  }
  const below = Math.max(from.y + from.height, to.y + to.height) + 10;
  const [bx1, bx2] = [from.x + from.width / 2, to.x + to.width / 2 + (source === target ? 20 : 0)];
  const start = `M${bx1} ${from.y + from.height}`;
  return {
    path: `${start} C${bx1} ${below + 14} ${bx2} ${below + 14} ${bx2} ${to.y + to.height}`,
    label: { x: (bx1 + bx2) / 2, y: below + 6 },
  };
}

/** Beside the beginning of the arrow, on the side to which it turns. */
function labelY(from: number, to: number): number {
  if (Math.abs(to - from) < 12) return from - 5;
  return to > from ? from + Math.min(to - from, 14) : from - 4 - Math.min(from - to, 10);
}
