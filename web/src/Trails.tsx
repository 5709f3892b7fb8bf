// The history of a place, and where its value came from.

import { get, type History as HistoryData, type Origin as OriginData, type Version } from "./api";
import { type Fetched, type Place, useFetched } from "./hooks";
import { LongRows } from "./LongRows";
import { count, State } from "./marks";

type OnCall = (key: string, time?: number) => void;

const ROW = 44;

interface HistoryProps {
  place: Place | null;
  time: number | null;
  /** When the call that is looked at ended; -1: it has not. */
  exited: number;
  again: number;
  onCall: OnCall;
}

/** Every value that a place ever had. */
export function History({ place, time, exited, again, onCall }: HistoryProps) {
  const path = place ? `calls/${place.of}/history` : null;
  const asked = place ? { place: place.path, time: place.at } : {};
  const found = useFetched<HistoryData>(
    path,
    { ...asked, now: time ?? (exited >= 0 ? exited : null), count: 0 },
    again,
  );
  if (!place || !path)
    return <State>Pick a value in the question or among the variables to see every value it ever had.</State>;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Looking through the run…</State>;
  const { count: total, index } = found.data;
  if (total === 0) return <State>{place.path} was never written: it is what the call returned.</State>;
  const fetchBlock = async (query: { first: number; count: number }, signal: AbortSignal) =>
    (await get<HistoryData>(path, { ...asked, ...query }, signal)).versions;
  return (
    <>
      <p className="lead">
        <code>{place.path}</code> had {count(total, "value")}.
      </p>
      <LongRows<Version>
        stamp={`${path} ${JSON.stringify(asked)} ${total}`}
        count={total}
        height={ROW}
        here={index}
        fetchBlock={fetchBlock}
        list={{ className: "history", "aria-label": `Values of ${place.path}` }}
        row={(version, at) => (
          <div
            className={`row history-row ${time !== null && version.time > time ? "later" : ""}`}
            aria-current={time !== null && at === index ? "true" : undefined}
          >
            <button
              type="button"
              className="history-go"
              disabled={!version.call}
              onClick={() => onCall(String(version.call), version.time)}
            >
              <span className="history-value">
                <code>{version.value ?? "(removed)"}</code>
                {version.seen && <span className="note"> first seen</span>}
              </span>
              <span className="history-where">
                time {version.time} · {version.function} #{version.call} · line {version.line}{" "}
                <code className="source-bit">{version.source}</code>
              </span>
            </button>
          </div>
        )}
      />
    </>
  );
}

const ENDS: Record<OriginData["end"], string> = {
  literal: "written in the source as",
  expression: "computed by",
  call: "made by",
  unknown: "the trail ends here: the source does not say more",
};

export function Origin({ place, found, onCall }: { place: Place | null; found: Fetched<OriginData>; onCall: OnCall }) {
  if (!place) return <State>Pick a value in the question or among the variables to see where it came from.</State>;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Following the value back…</State>;
  const origin = found.data;
  return (
    <div className="scroll">
      <p className="lead">
        <code>{place.path}</code> is <code>{origin.value}</code>
      </p>
      <ol className="trail">
        {origin.links.map((link) => (
          <li key={`${link.time} ${link.place} ${link.kind}`}>
            <button
              type="button"
              className="trail-step"
              disabled={!link.call}
              onClick={() => onCall(String(link.call), link.time)}
            >
              <span className="trail-where">
                line {link.line} · {link.function} #{link.call} · time {link.time}
              </span>
              <span>
                <code>{link.place}</code> {link.kind}
                {link.from && (
                  <>
                    {" "}
                    from <code>{link.from}</code>
                  </>
                )}
              </span>
            </button>
          </li>
        ))}
        <li className="trail-end">
          <button
            type="button"
            className="trail-step"
            disabled={!origin.made_by}
            onClick={() => onCall(String(origin.made_by), origin.links.at(-1)?.time)}
          >
            <span className="trail-where">{ENDS[origin.end]}</span>
            {origin.end !== "unknown" && (
              <span>
                <code className="made">{origin.expression}</code> at line {origin.made_at} in #{origin.made_by}
              </span>
            )}
            {origin.operands.map((operand) => (
              <span key={operand.text} className="operand">
                <code>{operand.text}</code> = <code>{operand.value}</code>
              </span>
            ))}
          </button>
        </li>
      </ol>
    </div>
  );
}
