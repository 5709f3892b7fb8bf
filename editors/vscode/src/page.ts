// The pages of the views: plain HTML, in which values of the program are text only.

export interface Step {
  kind: string;
  text: string;
  answers?: { verdict: string; label: string; help: string }[];
  place?: { path: string; line: number };
  confirmed?: boolean;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** The page that shows a step; `nonce` allows its script and nothing else. */
export function questionPage(step: Step | undefined, problem: string, nonce: string): string {
  const buttons = [
    ...(step?.answers ?? []).filter(() => !step?.confirmed),
    ...(step ? [{ verdict: "undo", label: "undo", help: "take back the last answer" }] : []),
    ...(step?.place ? [{ verdict: "show", label: "show code", help: "open the function" }] : []),
  ].map(
    (each) =>
      `<button data-verdict="${escaped(each.verdict)}" title="${escaped(each.help)}">${escaped(each.label)}</button>`,
  );
  const style = `
pre { white-space: pre-wrap; font-family: var(--vscode-editor-font-family); }
button { margin: 0 0.3em 0.3em 0; color: var(--vscode-button-foreground); background: var(--vscode-button-background); border: 0; padding: 0.3em 0.6em; }`;
  const body = `
${problem ? `<p role="alert">${escaped(problem)}</p>` : ""}
<pre>${escaped(step?.text ?? "Start debugging with wrongcall to be asked about calls.")}</pre>
<div>${buttons.join("\n")}</div>`;
  const script = `
const api = acquireVsCodeApi();
for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => api.postMessage({ verdict: button.dataset.verdict }));
}`;
  return page(nonce, style, body, script);
}

/** The page with the slider; it is told the time by messages, and tells times. */
export function timelinePage(nonce: string): string {
  const style = `
input { width: 100%; accent-color: var(--vscode-progressBar-background); }
output { font-variant-numeric: tabular-nums; }`;
  const body = `
<input type="range" min="0" max="0" value="0" disabled aria-label="Time of the run">
<output>Start debugging with wrongcall to move through the run.</output>`;
  const script = `
const api = acquireVsCodeApi();
const slider = document.querySelector("input");
const shown = document.querySelector("output");
function show(time) {
  shown.textContent = "time " + time.toLocaleString("en") + " of " + Number(slider.max).toLocaleString("en");
}
let held = false;
slider.addEventListener("pointerdown", () => { held = true; });
slider.addEventListener("pointerup", () => { held = false; api.postMessage({}); });
slider.addEventListener("input", () => {
  show(Number(slider.value));
  api.postMessage({ time: Number(slider.value) });
});
window.addEventListener("message", ({ data }) => {
  slider.disabled = !data.events;
  slider.max = Math.max(data.events - 1, 0);
  if (held) return; // the pointer knows better where it is
  slider.value = data.time;
  if (data.events) show(data.time);
  else shown.textContent = "Start debugging with wrongcall to move through the run.";
});
api.postMessage({});`;
  return page(nonce, style, body, script);
}

function page(nonce: string, style: string, body: string, script: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">${style}
</style>
</head>
<body>${body}
<script nonce="${nonce}">${script}
</script>
</body>
</html>`;
}
