// Copies a value as Python source that makes it again; or says why there is none.

import { useState } from "react";
import { get } from "../client";
import shared from "../parts/parts.module.css";

interface Props {
  call: number;
  path: string;
  time: number | null;
}

export function CopyPython({ call, path, time }: Props) {
  const [told, setTold] = useState("");
  const copy = async () => {
    setTold("");
    const { text, trouble } = await get("calls/{call}/python", { call, place: path, time });
    if (trouble) return trouble;
    await navigator.clipboard.writeText(text);
    return text.startsWith("#") || text.includes("\n") ? "copied, as statements" : "copied";
  };
  return (
    <>
      <button
        type="button"
        className={shared.smallButton}
        title={`Copy ${path} as Python source`}
        onClick={() =>
          copy().then(setTold, (error: unknown) => setTold(error instanceof Error ? error.message : String(error)))
        }
      >
        Copy as Python
      </button>
      <span role="status" className={shared.quiet} data-testid="copied">
        {told}
      </span>
    </>
  );
}
