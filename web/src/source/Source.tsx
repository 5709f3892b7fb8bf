// The source of a call: executed lines, the line at the selected time, values beside the lines.

import { python } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { SourceActions, ViewProps } from "./LaterSource";
import styles from "./source.module.css";

/** Values of more columns stand below their line, where they can wrap. */
const BESIDE = 48;
/** What is kept in sight above and below a line, in pixels. */
const BELOW = 60;
/** Columns between a line and the values beside it. */
const GAP = 5;

/** What was written on a line; a click on a value goes to where it was written. */
class Values extends WidgetType {
  readonly values: readonly string[];
  readonly below: boolean;

  /** `columns`: how many there are to the right of the line. */
  constructor(values: readonly string[], columns: number) {
    super();
    this.values = values;
    this.below = values.join("   ").length > Math.min(BESIDE, columns - GAP);
  }

  override eq(other: Values): boolean {
    return other.below === this.below && other.values.join("\n") === this.values.join("\n");
  }

  override toDOM(): HTMLElement {
    const element = document.createElement(this.below ? "div" : "span");
    element.className = this.below ? "cm-values cm-values-below" : "cm-values";
    for (const text of this.values) {
      const value = document.createElement("span");
      value.className = "cm-value";
      value.textContent = text;
      const place = text.slice(0, text.indexOf(" = "));
      if (!place.includes("…")) {
        value.dataset.place = place;
        value.title = `Go to where ${place} was written`;
      }
      element.append(value);
    }
    return element;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

class Executed extends GutterMarker {
  readonly count: number;

  constructor(count: number) {
    super();
    this.count = count;
  }

  override eq(other: Executed): boolean {
    return other.count === this.count;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "cm-executed";
    element.textContent = this.count > 1 ? `${this.count > 999 ? "999+" : this.count}×` : "●";
    element.title = `executed ${this.count === 1 ? "once" : `${this.count} times`}`;
    return element;
  }
}

/** What can be seen of a line without scrolling. */
interface Room {
  pixels: number;
  columns: number;
}

/** The room for lines in an editor, now and whenever it changes. */
function useRoom(view: RefObject<EditorView | null>, file: unknown): Room | null {
  const [room, setRoom] = useState<Room | null>(null);
  // Another file has an editor of its own.
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const read = () => {
      const gutters = editor.scrollDOM.querySelector<HTMLElement>(".cm-gutters")?.offsetWidth ?? 0;
      const pixels = editor.scrollDOM.clientWidth - gutters - LINE_PADDING;
      return { pixels, columns: Math.floor(pixels / editor.defaultCharacterWidth) };
    };
    const write = (next: Room) =>
      setRoom((old) => (old?.pixels === next.pixels && old.columns === next.columns ? old : next));
    const observer = new ResizeObserver(() => editor.requestMeasure({ key: setRoom, read, write }));
    observer.observe(editor.scrollDOM);
    return () => observer.disconnect();
  }, [view, file]);
  return room;
}

/** Of a line, on both sides, in pixels. */
const LINE_PADDING = 12;

interface Shown {
  lines: DecorationSet;
  counts: RangeSet<GutterMarker>;
}

const NOTHING: Shown = { lines: Decoration.none, counts: RangeSet.empty };
const setShown = StateEffect.define<Shown>();
const shown = StateField.define<Shown>({
  create: () => NOTHING,
  update: (old, change) => change.effects.reduce((now, effect) => (effect.is(setShown) ? effect.value : now), old),
  provide: (field) => EditorView.decorations.from(field, (value) => value.lines),
});

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword],
    color: "var(--code-keyword)",
  },
  { tag: [tags.string, tags.docString], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    color: "var(--code-name)",
    fontWeight: "600",
  },
]);

/** The name under the pointer, with what it is an attribute of: of self.total.real, on total, self.total. */
export function nameAt(text: string, column: number): { from: number; to: number; name: string } | null {
  for (const match of text.matchAll(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g)) {
    const from = match.index;
    const end = from + match[0].length;
    if (column < from || column > end) continue;
    const rest = text.slice(column, end).search(/\.|$/);
    const name = text.slice(from, column + Math.max(rest, 0));
    return name && !KEYWORDS.has(name) ? { from, to: from + name.length, name } : null;
  }
  return null;
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** What is under the pointer, at the selected time. */
function hovering(now: () => SourceActions): Extension {
  return hoverTooltip(async (view, at) => {
    const line = view.state.doc.lineAt(at);
    const found = nameAt(line.text, at - line.from);
    if (!found) return null;
    const answer = await now()
      .valueOf(found.name)
      .catch(() => null);
    if (!answer?.known) return null;
    return {
      pos: line.from + found.from,
      end: line.from + found.to,
      above: true,
      create: () => {
        const dom = document.createElement("button");
        dom.type = "button";
        dom.className = "cm-hover";
        dom.textContent = `${found.name} = ${answer.text}`;
        dom.title = "Its history, and where it came from";
        dom.onclick = () => now().onPick(found.name);
        return { dom };
      },
    };
  });
}

function lineOf(view: EditorView, event: MouseEvent): number {
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
  return view.state.doc.lineAt(at).number;
}

/** Clicks on lines and values; the gutter prints. */
function clicking(now: () => SourceActions): Extension {
  return EditorView.domEventHandlers({
    click: (event, view) => {
      const place = (event.target as HTMLElement).closest<HTMLElement>("[data-place]")?.dataset.place;
      if (place) now().onValue(place);
      else if (view.state.selection.main.empty) now().onLine(lineOf(view, event));
    },
  });
}

function gutterClicks(now: () => SourceActions) {
  return {
    mousedown: (view: EditorView, block: { from: number }) => {
      now().onPrint(view.state.doc.lineAt(block.from).number);
      return true;
    },
  };
}

function extensions(now: () => SourceActions): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": "Source", tabindex: "0" }),
    lineNumbers({ domEventHandlers: gutterClicks(now) }),
    shown,
    gutter({
      class: "cm-counts",
      markers: (view) => view.state.field(shown).counts,
      domEventHandlers: gutterClicks(now),
    }),
    hovering(now),
    clicking(now),
    search({ top: true }),
    keymap.of(searchKeymap),
    python(),
    syntaxHighlighting(colours),
    EditorView.theme({
      "&": { height: "100%", fontSize: "12.5px", backgroundColor: "transparent" },
      ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
      ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--quiet)" },
      "&.cm-focused": { outline: "none" },
      "&:has(.cm-content:focus-visible)": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    }),
  ];
}

export default function Source({ file, source, lines: marked, picked, finding, actions }: ViewProps) {
  const place = useRef<HTMLDivElement | null>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });

  useEffect(() => {
    if (!place.current) return;
    const state = EditorState.create({ doc: file.lines.join("\n"), extensions: extensions(() => latest.current) });
    const editor = new EditorView({ state, parent: place.current });
    view.current = editor;
    return () => editor.destroy();
  }, [file]);

  const room = useRoom(view, file);
  const shownCall = useRef<number | null>(null);
  useEffect(() => {
    const editor = view.current;
    // Nothing is measured while the panel is hidden.
    if (!editor || !room || room.pixels <= 0) return;
    const { doc } = editor.state;
    const lines: Range<Decoration>[] = [];
    const counts: Range<GutterMarker>[] = [];
    for (const line of source.lines) {
      if (line.number > doc.lines) break;
      const at = doc.line(line.number);
      const isMarked = line.marked || (source.line === 0 && marked.includes(line.number));
      const kind = isMarked
        ? "cm-here"
        : line.executed || line.number === source.lines[0]?.number
          ? "cm-ran"
          : "cm-not-run";
      const classes = line.number === picked ? `${kind} cm-picked-line` : kind;
      lines.push(Decoration.line({ class: classes }).range(at.from));
      if (line.executed) counts.push(new Executed(line.executed).range(at.from));
      if (line.values.length) {
        const widget = new Values(line.values, room.columns - at.length);
        lines.push(Decoration.widget({ widget, side: 1, block: widget.below }).range(at.to));
      }
    }
    const first = source.lines[0]?.number ?? 1;
    const here = source.line || (marked[0] ?? 0);
    // A long head or docstring must not hide what ran.
    const ran = source.lines.find(({ number, executed }) => number > first && executed)?.number ?? first;
    const wanted = doc.line(Math.min(here || ran, doc.lines));
    editor.dom.style.setProperty("--room", `${room.pixels}px`);
    editor.dispatch({ effects: setShown.of({ lines: Decoration.set(lines, true), counts: RangeSet.of(counts) }) });
    // A call that was not there before is shown from its first line on, if that leaves the line in sight.
    const isNew = shownCall.current !== source.call;
    shownCall.current = source.call;
    const start = doc.line(Math.min(first, doc.lines)).from;
    const needed = editor.lineBlockAt(wanted.from).bottom - editor.lineBlockAt(start).top;
    const fits = needed < editor.scrollDOM.clientHeight - BELOW;
    const scrolls =
      fits && (isNew || !here)
        ? EditorView.scrollIntoView(start, { y: "start", yMargin: 4 })
        : EditorView.scrollIntoView(wanted.from, here ? { y: "nearest", yMargin: BELOW } : { y: "start", yMargin: 30 });
    editor.dispatch({ effects: scrolls });
  }, [file, source, marked, picked, room]);

  useEffect(() => {
    if (finding > 0 && view.current) openSearchPanel(view.current);
  }, [finding]);

  return <div className={styles.sourceEditor} ref={place} />;
}
