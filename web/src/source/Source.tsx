// The source of a call: executed lines, the line at the selected time, values beside the lines.

import { python } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension, type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import type { Source as SourceData, SourceFile } from "../api";
import styles from "./source.module.css";

interface Props {
  file: SourceFile;
  source: SourceData;
}

class Values extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: Values): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "cm-values";
    element.textContent = this.text;
    return element;
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

function extensions(): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": "Source", tabindex: "0" }),
    lineNumbers(),
    shown,
    gutter({ class: "cm-counts", markers: (view) => view.state.field(shown).counts }),
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

export default function Source({ file, source }: Props) {
  const place = useRef<HTMLDivElement | null>(null);
  const view = useRef<EditorView | null>(null);

  useEffect(() => {
    if (!place.current) return;
    const state = EditorState.create({ doc: file.lines.join("\n"), extensions: extensions() });
    const editor = new EditorView({ state, parent: place.current });
    view.current = editor;
    return () => editor.destroy();
  }, [file]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    const lines: Range<Decoration>[] = [];
    const counts: Range<GutterMarker>[] = [];
    for (const line of source.lines) {
      if (line.number > doc.lines) break;
      const at = doc.line(line.number);
      const kind = line.marked
        ? "cm-here"
        : line.executed || line.number === source.lines[0]?.number
          ? "cm-ran"
          : "cm-not-run";
      lines.push(Decoration.line({ class: kind }).range(at.from));
      if (line.executed) counts.push(new Executed(line.executed).range(at.from));
      if (line.values.length) {
        const widget = new Values(line.values.join("   "));
        lines.push(Decoration.widget({ widget, side: 1 }).range(at.to));
      }
    }
    const first = source.lines[0]?.number ?? 1;
    const wanted = doc.line(Math.min(source.line || first, doc.lines));
    editor.dispatch({
      effects: [
        setShown.of({ lines: Decoration.set(lines, true), counts: RangeSet.of(counts) }),
        EditorView.scrollIntoView(
          wanted.from,
          source.line ? { y: "nearest", yMargin: 60 } : { y: "start", yMargin: 4 },
        ),
      ],
    });
  }, [file, source]);

  return <div className={styles.sourceEditor} ref={place} />;
}
