// What a screen reader says when the next question, or the result of the search, appears: a sentence, not the panel.

import type { Question, Session } from "../api";
import shared from "../parts/parts.module.css";
import { usePage } from "../state/page";

export function Announcement() {
  const { session } = usePage();
  return (
    <p className={shared.visuallyHidden} role="status" aria-live="polite" aria-atomic="true" data-testid="announcement">
      {announced(session.step)}
    </p>
  );
}

export function announced(step: Session["step"]): string {
  if (step.kind === "question") return step.why?.left ? `${asked(step)} ${sentence(step.why.left)}` : asked(step);
  if (step.kind === "finding") return plain(`${step.headline}. ${step.statement?.why ?? step.summary}`);
  if (step.kind === "contradiction") return "Some answers contradict each other.";
  if (step.kind === "needs_more_tree") return "No finished call is left to ask about; waiting for the program.";
  return "By these answers, no call is wrong.";
}

function asked({ call, calls, inside }: Question): string {
  if (inside) return plain(`${inside.heading}. Is everything right up to here?`);
  if (calls > 1) return `Are these ${calls} calls right? The first is ${call.title}.`;
  const result = call.produced ? ` ${call.produced.summary}` : "";
  return `Is this call right? ${call.title} ${call.outcome}${result}.`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Source stands between backticks, which nobody wants to hear. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
