// A question about several calls: what they did together, or each on its own.

import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { ListedCall, MemberDetails, Question, Value } from "../api";
import { post } from "../client";
import { GROUP_PARTS, type GroupPart, QUESTION_PARTS } from "../keys";
import { cx } from "../parts/cx";
import { State } from "../parts/marks";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";
import { Changes } from "../values/Changes";
import { ValueTree } from "../values/Values";
import valueStyles from "../values/values.module.css";
import { Doc, InOrder, Lines, Others, Printed, Section, Started } from "./CallCard";
import { CallLine } from "./CallLine";
import styles from "./question.module.css";

/** Calls whose details are fetched with one request. */
const AT_ONCE = 8;

export function Group({ question }: { question: Question }) {
  return question.list ? <CallList question={question} /> : <Together question={question} />;
}

/** Calls that follow each other: one state before, one after. */
function Together({ question }: { question: Question }) {
  const parts: Record<GroupPart, ReactNode> = {
    changed: (
      <Section title={GROUP_PARTS.changed}>
        {question.changed.length > 0 ? (
          <Changes changes={question.changed} count={question.changed_count} time={question.after} />
        ) : (
          <p className={shared.quiet}>Nothing.</p>
        )}
      </Section>
    ),
    printed: <Printed title={GROUP_PARTS.printed} text={question.printed} />,
    started: <Started title={GROUP_PARTS.started} text={question.started} />,
    meanwhile: <Others title={GROUP_PARTS.meanwhile} meanwhile={question.meanwhile} time={question.after} />,
    calls: (
      <Section title={GROUP_PARTS.calls}>
        <Members question={question} />
      </Section>
    ),
  };
  return (
    <div className={styles.members} data-testid="members">
      <p className={shared.quiet}>
        Each call starts with what the previous one left. Judge what they did together: if it is wrong, one of them is
        wrong.
      </p>
      <InOrder of={GROUP_PARTS} parts={parts} />
    </div>
  );
}

/** The calls of a group; of very many the first and the last. */
function Members({ question }: { question: Question }) {
  const half = question.left_out ? Math.ceil(question.members.length / 2) : question.members.length;
  const lines = (some: ListedCall[]) =>
    some.map((line) => (
      <li key={line.call} className={styles.member} data-testid="member">
        <CallLine line={line} />
      </li>
    ));
  return (
    <ul className={styles.callLines}>
      {lines(question.members.slice(0, half))}
      {question.left_out > 0 && (
        <li className={cx(shared.quiet, styles.leftOut)}>
          … {question.left_out.toLocaleString("en")} more like these …
        </li>
      )}
      {lines(question.members.slice(half))}
    </ul>
  );
}

/** Calls of a loop: each is judged on its own, with one answer for all. */
function CallList({ question }: { question: Question }) {
  const { known, error } = useMembers(question);
  const common = commonReads([...known.values()]);
  return (
    <div className={styles.members} data-testid="members">
      <p className={shared.quiet}>
        Judge each call on its own. “Right” means that all of them are right. If one is wrong, click “Wrong” beside it,
        or answer “wrong”.
        {question.confirms && " All of them are likely right. If you don’t confirm that, you are asked about each."}
      </p>
      {error && <State kind="error">{error}</State>}
      <Doc text={question.call.doc} />
      <ul>
        {question.members.map((line) => (
          <li key={line.call} className={styles.member} data-testid="member" data-kind="listed">
            <ListedLine line={line} />
            {!error && <Details line={line} member={known.get(line.call)} common={common} />}
          </li>
        ))}
      </ul>
      <Lines title={QUESTION_PARTS.read} values={[...common.values()]} />
    </div>
  );
}

/** A call of a list, with how many equal calls it stands for. */
function ListedLine({ line }: { line: ListedCall }) {
  const { following, tell } = usePage();
  const wrong = () => tell({ path: "session/judge", sent: { key: String(line.call), verdict: "wrong" } });
  return (
    <div className={styles.memberHead}>
      <CallLine line={line}>
        {line.count > 1 && (
          <span
            className={styles.times}
            data-testid="times"
            title={`${line.count.toLocaleString("en")} equal calls; this is the first`}
          >
            {line.count.toLocaleString("en")}×
          </span>
        )}
      </CallLine>
      <button
        type="button"
        className={cx(shared.smallButton, styles.wrongOne)}
        disabled={following.busy}
        aria-label={`Call ${line.call} is wrong`}
        title="This one is wrong"
        onClick={wrong}
      >
        ✗ Wrong
      </button>
    </div>
  );
}

interface DetailsProps {
  line: ListedCall;
  member: MemberDetails | undefined;
  common: ReadonlyMap<string, Value>;
}

function Details({ line, member, common }: DetailsProps) {
  if (!member) return <p className={cx(styles.listedValue, shared.quiet)}>Loading…</p>;
  const { produced, before, after } = member;
  const cut = member.given.filter((value) => !line.title.includes(value.summary));
  const isCut = produced !== null && !line.outcome.includes(produced.summary);
  const parts = {
    given: cut.length > 0 && (
      <ul>
        {cut.map((value) => (
          <ValueTree key={value.label} value={value} path={value.label} call={line.call} time={before} />
        ))}
      </ul>
    ),
    outcome: isCut && (
      <ul>
        <ValueTree value={produced} path={member.result_name} call={line.call} time={after} />
      </ul>
    ),
    yielded: <Whole label="yielded" values={member.yielded} />,
    changed: member.changed.length > 0 && (
      <Changes changes={member.changed} count={member.changed_count} time={member.after} />
    ),
    printed: member.printed && (
      <pre className={shared.printed} data-testid="printed">
        {member.printed}
      </pre>
    ),
    read: <Whole label="read" values={member.read.filter((value) => !common.has(value.label))} />,
  };
  return <InOrder of={QUESTION_PARTS} parts={parts} />;
}

function Whole({ label, values }: { label: string; values: Value[] }) {
  return values.map((value) => (
    <p key={`${label} ${value.label}`} className={styles.listedValue}>
      <span className={shared.quiet}>{label}</span> <span className={valueStyles.label}>{value.label}</span>{" "}
      <span className={valueStyles.summary} data-testid="summary">
        {value.summary}
      </span>
    </p>
  ));
}

/** What calls read, if all that read it found the same. */
function commonReads(members: MemberDetails[]): Map<string, Value> {
  const found = new Map<string, Value>();
  const differ = new Set<string>();
  for (const value of members.flatMap((member) => member.read)) {
    const known = found.get(value.label);
    if (known && (known.summary !== value.summary || known.object !== value.object)) differ.add(value.label);
    found.set(value.label, value);
  }
  for (const label of differ) found.delete(label);
  return found;
}

/** What the calls of a list did: fetched a few at a time, the first ones first. */
function useMembers(question: Question): { known: Map<number, MemberDetails>; error: string } {
  const calls = question.members.map((line) => line.call);
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ["members", calls],
    queryFn: async ({ pageParam, signal }) => {
      const some = { calls: calls.slice(pageParam, pageParam + AT_ONCE) };
      return (await post("members", some, signal)).members;
    },
    initialPageParam: 0,
    getNextPageParam: (_, pages) => (pages.length * AT_ONCE < calls.length ? pages.length * AT_ONCE : null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const members = data?.pages.flat() ?? [];
  return { known: new Map(members.map((member) => [member.call, member])), error: error?.message ?? "" };
}
