// The extension: starts the adapter, and adds what VS Code's own debugger views do not have.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { namesOn, testsOf } from "./lines";
import { pageOf, type Step } from "./page";

const TYPE = "wrongcall";
const PYTHON: vscode.DocumentSelector = { language: "python" };

export function activate(context: vscode.ExtensionContext): void {
  const question = new QuestionView();
  const counts = new Counts();
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, { createDebugAdapterDescriptor: adapter }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration: configuration }),
    vscode.languages.registerCodeLensProvider(PYTHON, { provideCodeLenses: lenses }),
    vscode.languages.registerInlineValuesProvider(PYTHON, { provideInlineValues: inlineValues }),
    vscode.window.registerWebviewViewProvider("wrongcall.question", question),
    vscode.commands.registerCommand("wrongcall.debugTest", debugTest),
    vscode.commands.registerCommand("wrongcall.stepInBack", () => step("wrongcall/stepInBack")),
    vscode.commands.registerCommand("wrongcall.stepOutBack", () => step("wrongcall/stepOutBack")),
    vscode.commands.registerCommand("wrongcall.goToTime", goToTime),
    vscode.debug.registerDebugAdapterTrackerFactory(TYPE, {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message: { type: string; event?: string }) => {
          if (message.type === "event" && message.event === "stopped") {
            void counts.show(session);
            void question.first(session);
          }
        },
        onWillStopSession: () => {
          counts.clear();
          question.clear();
        },
      }),
    }),
  );
}

export function deactivate(): void {}

function adapter(): vscode.DebugAdapterDescriptor {
  const command = vscode.workspace.getConfiguration("wrongcall").get<string[]>("command") ?? [];
  const [program, ...words] = command.length ? command : ["wrongcall"];
  return new vscode.DebugAdapterExecutable(program, [...words, "dap"]);
}

function configuration(
  _folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration | undefined {
  if (given.type) return given;
  const open = vscode.window.activeTextEditor?.document;
  if (open?.languageId !== "python") return undefined;
  return { type: TYPE, request: "launch", name: "Record and step back", program: open.fileName };
}

// -- tests ----------------------------------------------------------------------------------------

function lenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const name = document.fileName.split(/[\\/]/).pop() ?? "";
  if (!/^test_.*\.py$|_test\.py$/.test(name)) return [];
  return testsOf(document.getText()).map(
    (test) =>
      new vscode.CodeLens(new vscode.Range(test.line, 0, test.line, 0), {
        title: "Debug this test with wrongcall",
        command: "wrongcall.debugTest",
        arguments: [document.fileName, test.name],
      }),
  );
}

async function debugTest(file: string, test: string): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(folder, {
    type: TYPE,
    request: "launch",
    name: test,
    test: `${file}::${test}`,
    ...(folder ? { cwd: folder.uri.fsPath } : {}),
  });
}

// -- moves ----------------------------------------------------------------------------------------

function session(): vscode.DebugSession | undefined {
  const active = vscode.debug.activeDebugSession;
  return active?.type === TYPE ? active : undefined;
}

async function step(request: string): Promise<void> {
  const item = vscode.debug.activeStackItem;
  await session()?.customRequest(request, item && "threadId" in item ? { threadId: item.threadId } : {});
}

/** Scrub through the run: a list of times, each of which moves there when it is highlighted. */
async function goToTime(): Promise<void> {
  const active = session();
  if (!active) return;
  const { time, events } = await active.customRequest("wrongcall/time");
  const marks = [...Array(101).keys()].map((percent) => Math.round(((events - 1) * percent) / 100));
  const times = [...new Set([...marks, time])].sort((one, other) => one - other);
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { time: number }>();
  pick.placeholder = "Move through the run, or enter a time";
  pick.items = times.map((each) => ({
    label: `${"█".repeat(Math.round((20 * each) / Math.max(events - 1, 1))).padEnd(20, "░")} ${each}`,
    description: each === time ? "now" : undefined,
    time: each,
  }));
  pick.activeItems = pick.items.filter((each) => each.time === time);
  let shown = time;
  pick.onDidChangeActive(([item]) => {
    if (item && item.time !== shown) {
      shown = item.time;
      void active.customRequest("wrongcall/time", { time: item.time });
    }
  });
  pick.onDidAccept(() => {
    if (/^\d+$/.test(pick.value)) void active.customRequest("wrongcall/time", { time: Number(pick.value) });
    pick.hide();
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

// -- beside the source ----------------------------------------------------------------------------

function inlineValues(
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

/** How often each line of the current call ran, before the line. */
class Counts {
  private readonly style = vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor("editorLineNumber.foreground"), margin: "0 1em 0 0" },
  });

  async show(active: vscode.DebugSession): Promise<void> {
    const told: { path: string; counts: { line: number; count: number }[] } =
      await active.customRequest("wrongcall/counts");
    const width = Math.max(0, ...told.counts.map((each) => String(each.count).length));
    for (const editor of vscode.window.visibleTextEditors) {
      const mine = editor.document.fileName === told.path ? told.counts : [];
      editor.setDecorations(
        this.style,
        mine.map(({ line, count }) => ({
          range: new vscode.Range(line - 1, 0, line - 1, 0),
          renderOptions: { before: { contentText: `${count}×`.padStart(width + 1) } },
        })),
      );
    }
  }

  clear(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.style, []);
  }
}

// -- the question ---------------------------------------------------------------------------------

class QuestionView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private active: vscode.DebugSession | undefined;
  private step: Step | undefined;
  private problem = "";

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true };
    view.webview.onDidReceiveMessage((message: { verdict: string }) => this.answered(message.verdict));
    this.draw();
  }

  /** Ask when a session has stopped for the first time. */
  async first(active: vscode.DebugSession): Promise<void> {
    if (this.active === active) return;
    this.active = active;
    await this.ask("wrongcall/question", {});
  }

  clear(): void {
    this.active = this.step = undefined;
    this.problem = "";
    this.draw();
  }

  async answered(verdict: string): Promise<void> {
    const place = this.step?.place;
    if (verdict !== "show") await this.ask("wrongcall/answer", { verdict });
    else if (place) {
      const document = await vscode.workspace.openTextDocument(place.path);
      const range = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
      await vscode.window.showTextDocument(document, { selection: range });
    }
  }

  private async ask(request: string, argument: object): Promise<void> {
    try {
      this.step = await this.active?.customRequest(request, argument);
      this.problem = "";
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  private draw(): void {
    if (this.view) this.view.webview.html = pageOf(this.step, this.problem, randomBytes(16).toString("hex"));
  }
}
