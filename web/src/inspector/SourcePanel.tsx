// The source of the call in the middle, with a slider through its time.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { get } from "../client";
import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { Source } from "../source/LaterSource";
import sourceStyles from "../source/source.module.css";
import { usePage } from "../state/page";
import { editorAddress } from "../state/preferences";
import { useAnswer } from "../state/requests";
import { RoundStepper } from "./RoundStepper";
import { Slider } from "./Slider";
import { useStepping } from "./stepping";

interface Props {
  /** Lines to mark, while no time is selected. */
  lines?: readonly number[];
  className?: string | undefined;
}

export function SourcePanel({ lines = [], className }: Props) {
  const { number: call, location, sourceInMiddle, go, editor, follow } = usePage();
  const queries = useQueryClient();
  const { events, source, toEvent, step } = useStepping();
  const file = useAnswer(source.data ? "files/{file}" : null, { file: source.data?.file });
  const line = source.data?.line || (lines[0] ?? source.data?.lines[0]?.number ?? 1);
  const [finding, setFinding] = useState(0);
  const { time } = location;
  const place = (path: string) => ({ path, side: "" as const, of: call, at: time });
  const actions = {
    onLine: (number: number) => go({ line: number, tab: "line", ...(sourceInMiddle ? { view: "inside" } : {}) }),
    onPrint: (number: number) => {
      flushSync(() => go({ line: number, tab: "line", view: "inside" }));
      document.getElementById("print")?.focus();
    },
    onValue: (path: string) => follow(place(path)),
    valueOf: (expression: string) => {
      const asked = { call, expression, time };
      return queries.fetchQuery({
        queryKey: ["eval", asked],
        queryFn: () => get("calls/{call}/eval", asked),
      });
    },
    onPick: (path: string) => go({ place: place(path), tab: "history" }),
  };
  const opens = file.data ? editorAddress(editor, file.data.full_path, file.data.path, line) : "";
  return (
    <section
      className={cx(shared.panel, className)}
      aria-label="Source"
      aria-busy={source.loading || file.loading}
      data-testid="source-panel"
    >
      <header className={shared.panelHead}>
        <h2>Source</h2>
        <span className={shared.quiet}>
          {source.data ? `${source.data.path} · ${source.data.function} #${source.data.call}` : `#${call}`}
        </span>
        <button type="button" className={shared.smallButton} onClick={() => setFinding(finding + 1)}>
          Find
        </button>
        {opens && (
          <a className={shared.link} href={opens} title={`Open line ${line} in the editor`}>
            Open in editor
          </a>
        )}
      </header>
      <div className={sourceStyles.sourceBody}>
        {source.error && <State kind="error">{source.error}</State>}
        {!source.error && (
          <Source
            file={file.data}
            source={source.data}
            lines={lines}
            picked={location.line}
            finding={finding}
            actions={actions}
          />
        )}
      </div>
      <Slider
        events={events.data}
        line={source.data?.line ?? 0}
        onEvent={toEvent}
        onStep={step}
        onEnd={() => go({ time: null }, true)}
      />
      <RoundStepper line={location.line ?? source.data?.line ?? 0} />
    </section>
  );
}
