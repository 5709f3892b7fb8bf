// The view with the question: asks about calls, and takes the answers.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { questionPage, type Step } from "./page";

export class QuestionView implements vscode.WebviewViewProvider {
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
    // The panel shows the program's output until now; the editor keeps the focus.
    await vscode.commands.executeCommand("wrongcall.question.focus", { preserveFocus: true });
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
    if (this.view) this.view.webview.html = questionPage(this.step, this.problem, randomBytes(16).toString("hex"));
  }
}
