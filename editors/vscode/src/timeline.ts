// The view with the timeline: a slider that moves through the run.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { timelinePage } from "./page";
import { session } from "./session";

interface Moment {
  time: number;
  events: number;
}

export class TimelineView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private wanted: number | undefined;
  private moving = false;

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true };
    view.webview.onDidReceiveMessage((message: { time?: number }) =>
      message.time === undefined ? this.show() : this.goTo(message.time),
    );
    view.webview.html = timelinePage(randomBytes(16).toString("hex"));
  }

  /** Show where the run stands. */
  async show(): Promise<void> {
    const moment: Moment | undefined = await session()?.customRequest("wrongcall/time");
    await this.view?.webview.postMessage(moment ?? { time: 0, events: 0 });
  }

  clear(): void {
    void this.view?.webview.postMessage({ time: 0, events: 0 });
  }

  /** Go to a time. A slider sends more times than there is time for: those in between are left out. */
  async goTo(time: number): Promise<void> {
    this.wanted = time;
    if (this.moving) return;
    this.moving = true;
    try {
      while (this.wanted !== undefined) {
        const next: number = this.wanted;
        this.wanted = undefined;
        await session()?.customRequest("wrongcall/time", { time: next });
      }
    } finally {
      this.moving = false;
    }
  }
}

/** Ask for a time, and go there. */
export async function goToTime(): Promise<void> {
  const active = session();
  if (!active) return;
  const { time, events }: Moment = await active.customRequest("wrongcall/time");
  const last = events - 1;
  const given = await vscode.window.showInputBox({
    prompt: `Go to a time of the run: 0 to ${last}`,
    value: String(time),
    validateInput: (text) => (/^\d+$/.test(text) && Number(text) <= last ? undefined : `a number from 0 to ${last}`),
  });
  if (given !== undefined) await active.customRequest("wrongcall/time", { time: Number(given) });
}
