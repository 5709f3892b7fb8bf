// "Debug this test with wrongcall": beside the tests that failed when pytest last ran, or beside all.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import * as vscode from "vscode";
import { testsOf } from "./lines";

/** Where pytest keeps the tests that failed, below the folder it was run for. */
const FAILED = join(".pytest_cache", "v", "cache", "lastfailed");
const MAX_LENSES = 5;

/** The ids of a file's failed tests, without the file: `TestA::test_b[1-2]`. */
export function failedTests(file: string): string[] {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, FAILED);
    if (existsSync(path)) return failedIn(readFileSync(path, "utf8"), relative(folder, file));
    if (folder === dirname(folder)) return [];
  }
}

/** The same, from the text that pytest wrote; `name` is the file, relative to pytest's folder. */
export function failedIn(text: string, name: string): string[] {
  let known: unknown;
  try {
    known = JSON.parse(text);
  } catch {
    return []; // pytest is just writing it: the watcher asks again
  }
  const start = `${name.split(sep).join("/")}::`;
  return Object.keys((known ?? {}) as object)
    .filter((id) => id.startsWith(start))
    .map((id) => id.slice(start.length));
}

export class TestLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly watcher = vscode.workspace.createFileSystemWatcher("**/.pytest_cache/v/cache/lastfailed");

  constructor() {
    for (const watch of [this.watcher.onDidChange, this.watcher.onDidCreate, this.watcher.onDidDelete]) {
      watch.call(this.watcher, () => this.changed.fire());
    }
  }

  dispose(): void {
    this.watcher.dispose();
    this.changed.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const name = document.fileName.split(/[\\/]/).pop() ?? "";
    if (!/^test_.*\.py$|_test\.py$/.test(name)) return [];
    const all = vscode.workspace.getConfiguration("wrongcall").get<string>("testLenses") === "all";
    const failed = failedTests(document.fileName);
    return testsOf(document.getText()).flatMap((test) => {
      const mine = failed.filter((id) => id === test.name || id.startsWith(`${test.name}[`)).slice(0, MAX_LENSES);
      return (all && !mine.length ? [test.name] : mine).map((id) => lens(document.fileName, test.line, test.name, id));
    });
  }
}

function lens(file: string, line: number, name: string, id: string): vscode.CodeLens {
  const what = id === name ? "this test" : id.slice(name.length);
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    title: `Debug ${what} with wrongcall`,
    command: "wrongcall.debugTest",
    arguments: [file, id],
  });
}

/** Record a test; without arguments, the one at the cursor. */
export async function debugTest(file?: string, test?: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!file || !test) {
    const line = editor?.selection.active.line ?? 0;
    const above = testsOf(editor?.document.getText() ?? "").filter((each) => each.line <= line);
    file = editor?.document.fileName;
    test = above.at(-1)?.name;
  }
  if (!file || !test) {
    void vscode.window.showInformationMessage("wrongcall: put the cursor into a test function first");
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(folder, {
    type: "wrongcall",
    request: "launch",
    name: test,
    test: `${file}::${test}`,
    ...(folder ? { cwd: folder.uri.fsPath } : {}),
  });
}
