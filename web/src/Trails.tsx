// The history of a place, and where its value came from.

import type { History as HistoryData, Origin as OriginData } from "./api";
import type { Fetched, Place } from "./hooks";
import { count, State } from "./marks";

type OnCall = (key: string, time?: number) => void;

export function History({
  place,
  found,
  time,
  onCall,
}: {
  place: Place | null;
  found: Fetched<HistoryData>;
  time: number | null;
  onCall: OnCall;
}) {
  if (!place) return <State>Pick a value in the question or among the variables to see every value it ever had.</State>;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!found.data) return <State kind="loading">Looking through the run…</State>;
  const { versions, count: total } = found.data;
  if (total === 0) return <State>{place.path} was never written: it is what the call returned.</State>;
  return (
    <div className="scroll">
      <p className="lead">
        <code>{place.path}</code> had {count(total, "value")}
        {total > versions.length ? `; the first ${versions.length} are shown` : ""}.
      </p>
      <table className="history">
        <thead>
          <tr>
            <th scope="col">time</th>
            <th scope="col">value</th>
            <th scope="col">line</th>
            <th scope="col">by</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr
              key={`${version.time} ${version.value}`}
              className={time !== null && version.time > time ? "later" : ""}
              aria-current={version.time === time ? "true" : undefined}
            >
              <td>
                <button
                  type="button"
                  className="link"
                  disabled={!version.call}
                  onClick={() => onCall(String(version.call), version.time)}
                >
                  {version.time}
                </button>
              </td>
              <td>
                <code>{version.value ?? "(removed)"}</code>
              </td>
              <td className="number">{version.line}</td>
              <td>
                {version.function} #{version.call}
                {version.seen && <span className="note"> first seen</span>}
                <code className="source-bit">{version.source}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ENDS: Record<OriginData["end"], string> = {
  literal: "written in the source as",
  expression: "computed by",
  call: "made by",
  unknown: "the trail ends here: the source does not tell more",
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
