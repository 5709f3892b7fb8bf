// Where the value of a place came from.

import type { LinkKind, Origin as OriginData, TrailEnd } from "../api";
import { State } from "../parts/marks";
import { usePage } from "../state/page";
import { type Fetched, useAnswer, useArrived } from "../state/requests";
import { GoTo } from "./GoTo";
import styles from "./inspector.module.css";
import { OriginTree } from "./OriginTree";

const ENDS: Record<TrailEnd, string> = {
  literal: "written in the source as",
  expression: "computed by",
  call: "made by",
  unknown: "the trail ends here: the source does not say more",
};

const LINKS: Record<LinkKind, string> = {
  written: "written",
  passed: "passed",
  returned: "returned",
  seen: "first seen",
};

export function Origin({ found }: { found: Fetched<OriginData> }) {
  const { location, again } = usePage();
  const { place: picked } = location;
  const asked = picked ? { call: picked.of, place: picked.path, time: picked.at, at: "" } : {};
  const parts = useAnswer(picked ? "calls/{call}/origin-parts" : null, asked, again);
  const hasArrived = !found.stale && found.data !== null && !parts.stale && !(parts.loading && !parts.data);
  // The origin of another value stays until that of this one is there, with what it depended on.
  const shown = useArrived(picked && found.data ? { place: picked, origin: found.data } : null, hasArrived);
  if (!picked) return <State>Pick a value in the question or among the variables to see where it came from.</State>;
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!shown) return <State kind="loading">Following the value back…</State>;
  const { place, origin } = shown;
  return (
    <div className={styles.scroll}>
      <p className={styles.lead} data-testid="lead">
        <code>{place.path}</code> is <code>{origin.value}</code>
      </p>
      <ol className={styles.trail} data-testid="trail">
        {origin.links.map((link) => (
          <li key={`${link.time} ${link.place} ${link.kind}`}>
            <GoTo className={styles.trailStep} call={link.call} time={link.time}>
              <span className={styles.trailWhere}>
                line {link.line} · {link.function} #{link.call} · time {link.time}
              </span>
              <span>
                <code>{link.place}</code> {LINKS[link.kind]}
                {link.from && (
                  <>
                    {" "}
                    from <code>{link.from}</code>
                  </>
                )}
              </span>
            </GoTo>
          </li>
        ))}
        <li className={styles.trailEnd} data-testid="trail-end">
          <GoTo className={styles.trailStep} call={origin.made_by} time={origin.links.at(-1)?.time}>
            <span className={styles.trailWhere}>{origin.missing || ENDS[origin.end]}</span>
            {origin.end !== "unknown" && (
              <span>
                <code className={styles.made}>{origin.expression}</code> at line {origin.made_at} in #{origin.made_by}
              </span>
            )}
            {origin.operands.map((operand) => (
              <span key={operand.text} className={styles.operand}>
                <code>{operand.text}</code> = <code>{operand.value}</code>
              </span>
            ))}
          </GoTo>
        </li>
      </ol>
      <OriginTree place={place} />
    </div>
  );
}
