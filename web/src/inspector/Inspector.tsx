// The inside of a call: its source above its details; the source of the bug is in the middle of the page instead.

import { useRef } from "react";
import { Splitter } from "../layout/Splitter";
import { usePage } from "../state/page";
import { Details } from "./Details";
import { SourcePanel } from "./SourcePanel";
import { useStepping, useSteppingKeys } from "./stepping";

export function Inspector() {
  const { sourceInMiddle, panels } = usePage();
  useSteppingKeys(useStepping());
  const bar = useRef<HTMLDivElement | null>(null);
  if (sourceInMiddle) return <Details />;
  return (
    <>
      <SourcePanel />
      <div ref={bar}>
        <Splitter
          label="Height of the source"
          between="rows"
          measure={() => {
            const whole = bar.current?.parentElement?.clientHeight ?? 1;
            const above = bar.current?.previousElementSibling?.clientHeight ?? 0;
            return { size: (above / whole) * 100, whole };
          }}
          unit={(whole) => 100 / whole}
          min={15}
          max={85}
          now={panels.sizes.source}
          onSize={(size) => panels.resize("source", size)}
        />
      </div>
      <Details />
    </>
  );
}
