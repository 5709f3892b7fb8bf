// The debug session that commands and views talk to.

import * as vscode from "vscode";

export const TYPE = "wrongcall";

export function session(): vscode.DebugSession | undefined {
  const active = vscode.debug.activeDebugSession;
  return active?.type === TYPE ? active : undefined;
}

/** Step; the protocol has no request of its own for these steps. */
export async function step(request: string): Promise<void> {
  const item = vscode.debug.activeStackItem;
  await session()?.customRequest(request, item && "threadId" in item ? { threadId: item.threadId } : {});
}
