// What the source of a Python file says without running it: tests, and the names on a line.

export interface Test {
  line: number;
  /** As pytest names it below its file: `TestClass::test_name`. */
  name: string;
}

/** The test functions of a file, with their lines from 0. */
export function testsOf(text: string): Test[] {
  const found: Test[] = [];
  let inClass: { name: string; indent: number } | undefined;
  text.split(/\r?\n/).forEach((line, number) => {
    const indent = line.length - line.trimStart().length;
    if (inClass && line.trim() && indent <= inClass.indent) inClass = undefined;
    const opened = /^(\s*)class\s+(Test\w*)/.exec(line);
    if (opened) inClass = { name: opened[2], indent };
    const test = /^(\s*)(?:async\s+)?def\s+(test\w*)\s*\(/.exec(line);
    if (test && (indent === 0 || inClass)) {
      found.push({ line: number, name: inClass ? `${inClass.name}::${test[2]}` : test[2] });
    }
  });
  return found;
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** The names on a line that may be variables, each once, with their columns; strings and comments are left out. */
export function namesOn(line: string): { name: string; column: number }[] {
  const blanked = line
    .replace(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g, (text) => " ".repeat(text.length))
    .replace(/#.*$/, "");
  const found = new Map<string, number>();
  for (const match of blanked.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)) {
    const after = blanked.slice(match.index + match[0].length).trimStart();
    if (!KEYWORDS.has(match[0]) && !after.startsWith("(") && !found.has(match[0])) found.set(match[0], match.index);
  }
  return [...found].map(([name, column]) => ({ name, column }));
}
