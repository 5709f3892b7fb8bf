// What the user chose once for all runs, in this browser.

import { useState } from "react";

export type Editor = "" | "vscode" | "jetbrains";

/** A choice that is remembered; other texts than those allowed are not. */
export function useRemembered<T extends string>(name: string, allowed: readonly T[], usual: T): [T, (to: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const found = window.localStorage.getItem(name) as T | null;
    return found !== null && allowed.includes(found) ? found : usual;
  });
  const choose = (to: T) => {
    window.localStorage.setItem(name, to);
    setValue(to);
  };
  return [value, choose];
}

export const EDITORS: { name: Editor; text: string }[] = [
  { name: "", text: "Don’t show links" },
  { name: "vscode", text: "VS Code" },
  { name: "jetbrains", text: "PyCharm and other JetBrains editors" },
];

/** The address that opens a line of a file in an editor; "": there is none. */
export function editorAddress(editor: Editor, fullPath: string, path: string, line: number): string {
  if (!editor || !fullPath) return "";
  const full = fullPath.replaceAll("\\", "/");
  if (editor === "vscode") {
    const file = full.split("/").map(encodeURIComponent).join("/");
    return `vscode://file${file.startsWith("/") ? "" : "/"}${file}:${line}`;
  }
  // These editors want the project, which is named by its folder, and a path inside it.
  const isInside = full.endsWith(`/${path}`);
  const folder = isInside ? full.slice(0, -path.length - 1) : full.slice(0, full.lastIndexOf("/"));
  const project = folder.slice(folder.lastIndexOf("/") + 1);
  const inside = isInside ? path : full.slice(folder.length + 1);
  return `jetbrains://pycharm/navigate/reference?${new URLSearchParams({ project, path: `${inside}:${line}` })}`;
}
