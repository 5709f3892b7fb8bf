// TypeScript does not know the classes of a CSS module: a wrong name would just have no effect.

import { expect, it } from "vitest";

const SHEETS = import.meta.glob<Record<string, string>>("../**/*.module.css", { import: "default", eager: true });
const PARTS = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });

/** Each name that a part takes from a sheet: [part, sheet, name]. */
function usesOf(path: string, text: string): [string, string, string][] {
  return [...text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].flatMap(([, alias, sheet]) => {
    const file = new URL(sheet ?? "", `file:///${path.replace("../", "src/")}`).pathname.replace("/src/", "../");
    const names = [...text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"))];
    return names.map(([, name]): [string, string, string] => [path, file, name ?? ""]);
  });
}

it("has every class that a part of the page names", () => {
  const uses = Object.entries(PARTS).flatMap(([path, text]) => usesOf(path, text));
  expect(uses.length).toBeGreaterThan(100);
  expect(uses.filter(([, sheet, name]) => !SHEETS[sheet]?.[name])).toEqual([]);
});
