// What stands beside the source: values of variables, and how often each line ran.

import * as vscode from "vscode";
import { namesOn } from "./lines";
import { session } from "./session";

export function inlineValues(
  document: vscode.TextDocument,
  view: vscode.Range,
  context: vscode.InlineValueContext,
): vscode.InlineValue[] {
  if (!session()) return [];
  const last = context.stoppedLocation.end.line;
  const found: vscode.InlineValue[] = [];
  for (let line = Math.max(view.start.line, last - 30); line <= Math.min(last, view.end.line); line++) {
    for (const { name, column } of namesOn(document.lineAt(line).text)) {
      const range = new vscode.Range(line, column, line, column + name.length);
      found.push(new vscode.InlineValueVariableLookup(range, name, true));
    }
  }
  return found;
}

/** How often each line of the current call ran: a column before the text. */
export class Counts {
  private readonly style = vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor("editorLineNumber.foreground"), margin: "0 1ch 0 0" },
  });

  async show(active: vscode.DebugSession): Promise<void> {
    const told: { path: string; counts: { line: number; count: number }[] } =
      await active.customRequest("wrongcall/counts");
    const counts = new Map(told.counts.map(({ line, count }) => [line, `${count}×`]));
    const width = `${Math.max(0, ...[...counts.values()].map((text) => text.length))}ch`;
    for (const editor of vscode.window.visibleTextEditors) {
      const mine = editor.document.fileName === told.path ? editor.document.lineCount : 0;
      // Every line has the column, so that the text stays aligned.
      const lines = [...Array(mine).keys()].map((line) => ({
        range: new vscode.Range(line, 0, line, 0),
        renderOptions: { before: { contentText: counts.get(line + 1) ?? "", width } },
      }));
      editor.setDecorations(this.style, lines);
    }
  }

  clear(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.style, []);
  }
}
