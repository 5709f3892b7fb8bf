// The extension with a stand-in for VS Code's API, and the real adapter behind its sessions.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";

const PROGRAM = "def double(n):\n    return n + n\n\ndef square(n):\n    return n + n\n\nprint(double(3) + square(3))\n";
const folder = mkdtempSync(join(tmpdir(), "wrongcall-"));
const program = join(folder, "prog.py");

type Any = any;
const registered: Record<string, Any> = {};
const started: Any[] = [];
const decorated: Any[] = [];
let refreshed = 0;
const shownViews: string[] = [];
const watched: Any[] = [];
const watch = (told: Any) => { watched.push(told); return { dispose() {} }; };
let setting: string | undefined;
const keep = (kind: string) => (name: Any, what: Any) => {
  registered[typeof name === "string" ? `${kind} ${name}` : kind] = what;
  return { dispose() {} };
};
class Range {
  start: { line: number; character: number };
  end: { line: number; character: number };
  constructor(a: number, b: number, c: number, d: number) {
    this.start = { line: a, character: b };
    this.end = { line: c, character: d };
  }
}
const api: Any = {
  Range,
  EventEmitter: class { event = () => ({}); fire() { refreshed++; } dispose() {} },
  CodeLens: class { constructor(public range: Range, public command: Any) {} },
  DebugAdapterExecutable: class { constructor(public command: string, public args: string[]) {} },
  InlineValueVariableLookup: class { constructor(public range: Range, public name: string) {} },
  ThemeColor: class {},
  Uri: { file: (path: string) => ({ fsPath: path }) },
  debug: {
    activeDebugSession: undefined,
    activeStackItem: { threadId: 1 },
    registerDebugAdapterDescriptorFactory: keep("adapter"),
    registerDebugConfigurationProvider: keep("configuration"),
    registerDebugAdapterTrackerFactory: keep("tracker"),
    startDebugging: async (_: Any, configuration: Any) => started.push(configuration),
  },
  languages: {
    registerCodeLensProvider: keep("lenses"),
    registerInlineValuesProvider: keep("inline"),
  },
  commands: { registerCommand: keep("command"), executeCommand: async (name: string) => shownViews.push(name) },
  window: {
    activeTextEditor: { document: { languageId: "python", fileName: program } },
    visibleTextEditors: [{ document: { fileName: program, lineCount: 8 }, setDecorations: (_: Any, all: Any) => decorated.push(all) }],
    createTextEditorDecorationType: () => ({}),
    registerWebviewViewProvider: keep("view"),
  },
  workspace: {
    getConfiguration: () => ({ get: (name: string) => (name === "command" ? ["python", "-m", "wrongcall"] : setting) }),
    createFileSystemWatcher: () => ({ onDidChange: watch, onDidCreate: watch, onDidDelete: watch, dispose() {} }),
    getWorkspaceFolder: () => ({ uri: { fsPath: folder } }),
  },
};

const loader = Module as Any;
const load = loader._load;
loader._load = (name: string, ...rest: Any[]) => (name === "vscode" ? api : load(name, ...rest));

let client: DebugClient;
let html = "";
let post: (message: { verdict: string }) => Promise<void>;

async function settled(wanted: RegExp): Promise<void> {
  for (let tries = 0; tries < 300 && !wanted.test(html); tries++) await new Promise((done) => setTimeout(done, 50));
  assert.match(html, wanted);
}

before(async () => {
  writeFileSync(program, PROGRAM);
  const start = join(folder, "start.py");
  writeFileSync(start, "import sys\nfrom wrongcall.cli.main import main\nsys.exit(main(['dap', '--no-oracle']))\n");
  client = new DebugClient(process.env.WRONGCALL_PYTHON ?? "python3", start, "wrongcall");
  client.defaultTimeout = 60000;
  await client.start();
  // Not before the stand-in is there.
  const { activate } = await import("../src/extension.js");
  activate({ subscriptions: [] } as Any);
  await Promise.all([
    client.waitForEvent("initialized").then(() => client.configurationDoneRequest()),
    client.launch({ type: "wrongcall", program, cwd: folder, stopOnEntry: true } as Any),
    client.waitForEvent("stopped"),
  ]);
  api.debug.activeDebugSession = {
    type: "wrongcall",
    customRequest: async (command: string, argument: object) => (await client.customRequest(command, argument)).body,
  };
});

after(() => client.stop());

test("the adapter is started by the command of the settings", () => {
  const { command, args } = registered["adapter wrongcall"].createDebugAdapterDescriptor();
  assert.deepEqual([command, ...args], ["python", "-m", "wrongcall", "dap"]);
});

test("without a configuration the open file is recorded", () => {
  const found = registered["configuration wrongcall"].resolveDebugConfiguration(undefined, {});
  assert.equal(found.program, program);
  assert.equal(found.cwd, folder);
});

const TESTS = "def test_a():\n    pass\n\ndef test_b(n):\n    pass\n\nclass TestC:\n    def test_d(self): pass\n";
const tests = join(folder, "sub", "test_x.py");
const document = { fileName: tests, getText: () => TESTS };
const titles = () => registered.lenses.provideCodeLenses(document).map((each: Any) => each.command.title);

/** Write what pytest writes when tests have failed. */
function fail(...ids: string[]): void {
  const cache = join(folder, ".pytest_cache", "v", "cache");
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "lastfailed"), JSON.stringify(Object.fromEntries(ids.map((id) => [id, true]))));
}

test("only tests that failed have a lens, which records them", async () => {
  assert.deepEqual(titles(), []);
  fail("sub/test_x.py::test_b[1-2]", "sub/test_x.py::test_b[3]", "sub/test_x.py::TestC::test_d", "test_x.py::test_a");
  assert.deepEqual(titles(), ["Debug [1-2] with wrongcall", "Debug [3] with wrongcall", "Debug this test with wrongcall"]);
  const [lens] = registered.lenses.provideCodeLenses(document);
  await registered["command wrongcall.debugTest"](...lens.command.arguments);
  assert.equal(started.at(-1).test, `${tests}::test_b[1-2]`);
  assert.deepEqual(registered.lenses.provideCodeLenses({ ...document, fileName: "prog.py" }), []);
  for (const told of watched) told();
  assert.equal(refreshed, 3);
  rmSync(join(folder, ".pytest_cache"), { recursive: true });
});

test("a cache that is half written has no failed tests", () => {
  fail("sub/test_x.py::test_a");
  writeFileSync(join(folder, ".pytest_cache", "v", "cache", "lastfailed"), '{"sub/test_x.py::te');
  assert.deepEqual(titles(), []);
  rmSync(join(folder, ".pytest_cache"), { recursive: true });
});

test("all tests have a lens if the settings say so", () => {
  setting = "all";
  assert.deepEqual(titles(), Array(3).fill("Debug this test with wrongcall"));
  setting = undefined;
});

test("the test at the cursor can be recorded, whether it failed or not", async () => {
  const before = api.window.activeTextEditor;
  api.window.activeTextEditor = { document, selection: { active: { line: 4 } } };
  await registered["command wrongcall.debugTest"]();
  api.window.activeTextEditor = before;
  assert.equal(started.at(-1).test, `${tests}::test_b`);
});

test("a stop shows how often lines ran, and the question; answers lead on to the finding", async () => {
  registered["view wrongcall.question"].resolveWebviewView({
    webview: {
      set html(text: string) {
        html = text;
      },
      onDidReceiveMessage: (receive: Any) => {
        post = receive;
      },
    },
  });
  assert.match(html, /Start debugging/);
  const tracker = registered["tracker wrongcall"].createDebugAdapterTracker(api.debug.activeDebugSession);
  tracker.onDidSendMessage({ type: "event", event: "stopped" });
  await settled(/data-verdict="yes"/);
  assert.deepEqual(
    decorated.at(-1).map((each: Any) => each.renderOptions.before.contentText),
    ["1×", "", "", "1×", "", "", "1×", ""],
  );
  assert.equal(new Set(decorated.at(-1).map((each: Any) => each.renderOptions.before.width)).size, 1);
  assert.deepEqual(shownViews, ["wrongcall.question.focus"]);
  for (let asked = 0; asked < 5 && /data-verdict="dont-know"/.test(html); asked++) {
    const title = html.split("\n").find((line) => /^ {2}(double|square|both|add)\(/.test(line)) ?? "";
    await post({ verdict: title.includes("double(") ? "yes" : "no" });
  }
  assert.match(html, /square/);
  assert.match(html, /data-verdict="another"/);
});

test("steps back go to the adapter", async () => {
  await client.customRequest("wrongcall/time", { time: 1000000 });
  const stopped = client.waitForEvent("stopped");
  await registered["command wrongcall.stepInBack"]();
  await stopped;
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  assert.equal(body.stackFrames[0].name, "square");
});

test("names on executed lines have inline values", () => {
  const lines = ["x = 1", "y = x + z", "w = 2"];
  const document = { lineAt: (line: number) => ({ text: lines[line] }) };
  const found = registered.inline.provideInlineValues(document, new Range(0, 0, 2, 0), {
    stoppedLocation: new Range(1, 0, 1, 0),
  });
  assert.deepEqual(found.map((each: Any) => each.name), ["x", "y", "x", "z"]);
});

test("the timeline shows where the run stands, and moves it", async () => {
  const told: Any[] = [];
  let say: (message: { time?: number }) => Promise<void> = async () => {};
  registered["view wrongcall.timeline"].resolveWebviewView({
    webview: {
      postMessage: async (message: Any) => told.push(message),
      onDidReceiveMessage: (receive: Any) => {
        say = receive;
      },
    },
  });
  await say({});
  const { events } = told[0];
  assert.ok(events > 10);
  // What is sent while the run is moving is left out, but for the last.
  const moves: number[] = [];
  const active = api.debug.activeDebugSession;
  api.debug.activeDebugSession = {
    ...active,
    customRequest: (command: string, argument: Any) => {
      if (argument) moves.push(argument.time);
      return active.customRequest(command, argument);
    },
  };
  await Promise.all([1, 2, 3, 0].map((time) => say({ time })));
  api.debug.activeDebugSession = active;
  assert.deepEqual(moves, [1, 0]);
  await say({});
  assert.equal(told.at(-1).events, events);
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  assert.deepEqual([body.stackFrames[0].name, body.stackFrames[0].line], ["<module>", 1]);
  assert.ok(told.at(-1).time < told[0].time);
});
