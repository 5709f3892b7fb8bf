// Goes to a call, at a time.

import type { ReactNode } from "react";
import { usePage } from "../state/page";

interface Props {
  className: string | undefined;
  /** 0: there is none. */
  call: number;
  time: number | undefined;
  children: ReactNode;
}

export function GoTo({ className, call, time, children }: Props) {
  const { look } = usePage();
  return (
    <button type="button" className={className} disabled={!call} onClick={() => look(String(call), time)}>
      {children}
    </button>
  );
}
