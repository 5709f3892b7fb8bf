// Everything that a value depended on, as a tree: operands, the tests because of which a line ran, and those because
// of which nothing overwrote the value. Nodes are fetched when they are opened.

import { useState } from "react";
import type { OriginNode, OriginParts } from "../api";
import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import type { Place } from "../state/location";
import { usePage } from "../state/page";
import { useAnswer } from "../state/requests";
import { Twist } from "../values/Values";
import { GoTo } from "./GoTo";
import styles from "./origin.module.css";
import { conditionWords, howWords, leadWords, opensByItself } from "./originWords";

interface Props {
  place: Place;
}

export function OriginTree({ place }: Props) {
  return (
    <section aria-label="What it depended on" data-testid="origin-tree">
      <h3 className={styles.title}>What it depended on</h3>
      <OpenNode key={`${place.of} ${place.path} ${place.at}`} place={place} at="" depth={0} isRoot />
    </section>
  );
}

interface OpenProps extends Props {
  /** The numbers of the nodes that lead to it. */
  at: string;
  depth: number;
  isRoot?: boolean;
}

/** What a node came from. */
function OpenNode({ place, at, depth, isRoot = false }: OpenProps) {
  const { again } = usePage();
  const asked = { call: place.of, place: place.path, time: place.at, at };
  const found = useAnswer("calls/{call}/origin-parts", asked, again);
  if (found.error) return <p className={styles.note}>{found.error}</p>;
  if (!found.data) return isRoot ? <State kind="loading">Following the value back…</State> : null;
  const { operands, conditions, kept, left_out: leftOut, note } = found.data;
  const parts = [...operands, ...conditions, ...kept];
  return (
    <>
      {isRoot && <NodeLine node={found.data.node} />}
      {parts.length === 0 && <p className={styles.note}>{note || "Nothing else."}</p>}
      {parts.length > 0 && (
        <ul className={cx(styles.parts, isOneCopy(found.data) && styles.copied)}>
          {parts.map((node, number) => (
            <Node
              // biome-ignore lint/suspicious/noArrayIndexKey: its number is what names a node
              key={number}
              node={node}
              place={place}
              at={at ? `${at}.${number}` : String(number)}
              depth={depth + 1}
              alone={parts.length === 1}
            />
          ))}
        </ul>
      )}
      {parts.length > 0 && note && <p className={styles.note}>{note}</p>}
      {leftOut > 0 && <p className={styles.note}>… and {leftOut.toLocaleString("en")} more</p>}
    </>
  );
}

/** The value was only passed on: that does not make the tree deeper. */
function isOneCopy({ operands, conditions, kept }: OriginParts): boolean {
  return operands.length === 1 && conditions.length === 0 && kept.length === 0 && operands[0]?.role === "operand";
}

interface NodeProps extends OpenProps {
  node: OriginNode;
  /** It is the only one. */
  alone: boolean;
}

function Node({ node, place, at, depth, alone }: NodeProps) {
  const [open, setOpen] = useState(opensByItself(node, depth, alone));
  return (
    <li data-testid="origin-node" data-role={node.role}>
      <div className={styles.nodeLine}>
        <Twist path={`what ${node.text} came from`} open={open} onOpen={setOpen} />
        <NodeLine node={node} />
      </div>
      {open && <OpenNode place={place} at={at} depth={depth} />}
    </li>
  );
}

function NodeLine({ node }: { node: OriginNode }) {
  const isTest = node.kind === "condition";
  return (
    <GoTo className={cx(styles.node, isTest && styles.test)} call={node.call} time={node.time}>
      <span>
        {leadWords(node) && <span className={shared.quiet}>{leadWords(node)} </span>}
        <code className={styles.text}>{node.text}</code>
        {isTest && <span> {conditionWords(node)}</span>}
        {!isTest && node.value && (
          <>
            <span className={shared.quiet}> = </span>
            <code>{node.value}</code>
          </>
        )}
      </span>
      <span className={styles.where}>
        {node.call > 0 && `line ${node.line} · ${node.function} #${node.call}`}
        {howWords(node) && ` · ${howWords(node)}`} <code>{node.code}</code>
        {node.note && ` ${node.note}`}
      </span>
    </GoTo>
  );
}
