// The adapter with the client that the authors of the protocol provide for tests.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";

const PROGRAM = "def add(a, b):\n    result = a + b\n    return result\n\ntotal = 0\nfor n in range(3):\n    total = add(total, n)\nprint(total)\n";
const folder = mkdtempSync(join(tmpdir(), "wrongcall-"));
const program = join(folder, "prog.py");
const command = process.env.WRONGCALL_PYTHON ?? "python3";
// The client starts `command script`: wrongcall's own __main__.py, with "dap" after it.
let client: DebugClient;

before(async () => {
  writeFileSync(program, PROGRAM);
  const start = join(folder, "start.py");
  writeFileSync(start, "import sys\nfrom wrongcall.cli.main import main\nsys.exit(main(['dap']))\n");
  client = new DebugClient(command, start, "wrongcall");
  client.defaultTimeout = 60000;
  await client.start();
});

after(() => client.stop());

async function line(): Promise<number> {
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  return body.stackFrames[0].line;
}

test("a program is recorded, stops at a breakpoint, and goes back", async () => {
  await client.hitBreakpoint({ type: "wrongcall", program, cwd: folder }, { path: program, line: 3 });
  assert.equal(await line(), 3);
  await Promise.all([client.continueRequest({ threadId: 1 }), client.assertStoppedLocation("breakpoint", { line: 3 })]);
  const { body } = await client.evaluateRequest({ expression: "result" });
  assert.equal(body.result, "1");
  await Promise.all([client.stepBackRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
  assert.equal(await line(), 2);
  await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
  assert.equal((await client.evaluateRequest({ expression: "a, b" })).body.result, "(0, 0)");
});

test("custom requests ask about calls", async () => {
  const asked = await client.customRequest("wrongcall/question");
  assert.match(asked.body.text, /add\(/);
});
