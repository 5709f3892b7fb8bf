// The extension: starts the adapter, and adds what VS Code's own debugger views do not have.

import { dirname } from "node:path";
import * as vscode from "vscode";
import { QuestionView } from "./question";
import { step, TYPE } from "./session";
import { Counts, inlineValues } from "./source";
import { debugTest, TestLenses } from "./tests";
import { goToTime, TimelineView } from "./timeline";

const PYTHON: vscode.DocumentSelector = { language: "python" };

export function activate(context: vscode.ExtensionContext): void {
  const question = new QuestionView();
  const timeline = new TimelineView();
  const counts = new Counts();
  const lenses = new TestLenses();
  context.subscriptions.push(
    lenses,
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, { createDebugAdapterDescriptor: adapter }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration: configuration }),
    vscode.languages.registerCodeLensProvider(PYTHON, lenses),
    vscode.languages.registerInlineValuesProvider(PYTHON, { provideInlineValues: inlineValues }),
    vscode.window.registerWebviewViewProvider("wrongcall.question", question),
    vscode.window.registerWebviewViewProvider("wrongcall.timeline", timeline),
    vscode.commands.registerCommand("wrongcall.debugTest", debugTest),
    vscode.commands.registerCommand("wrongcall.stepInBack", () => step("wrongcall/stepInBack")),
    vscode.commands.registerCommand("wrongcall.stepOutBack", () => step("wrongcall/stepOutBack")),
    vscode.commands.registerCommand("wrongcall.goToTime", goToTime),
    vscode.debug.registerDebugAdapterTrackerFactory(TYPE, {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message: { type: string; event?: string }) => {
          if (message.type === "event" && message.event === "stopped") {
            void counts.show(session);
            void timeline.show();
            void question.first(session);
          }
        },
        onWillStopSession: () => {
          counts.clear();
          timeline.clear();
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
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration | undefined {
  if (given.type) return given;
  const open = vscode.window.activeTextEditor?.document;
  if (open?.languageId !== "python") return undefined;
  const cwd = folder?.uri.fsPath ?? dirname(open.fileName);
  return { type: TYPE, request: "launch", name: "Record and step back", program: open.fileName, cwd };
}
