// The page of the view with the question: plain HTML, in which values of the program are text only.

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
export function pageOf(step: Step | undefined, problem: string, nonce: string): string {
  const buttons = [
    ...(step?.answers ?? []).filter(() => !step?.confirmed),
    ...(step ? [{ verdict: "undo", label: "undo", help: "take back the last answer" }] : []),
    ...(step?.place ? [{ verdict: "show", label: "show code", help: "open the function" }] : []),
  ].map(
    (each) =>
      `<button data-verdict="${escaped(each.verdict)}" title="${escaped(each.help)}">${escaped(each.label)}</button>`,
  );
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">
pre { white-space: pre-wrap; font-family: var(--vscode-editor-font-family); }
button { margin: 0 0.3em 0.3em 0; color: var(--vscode-button-foreground); background: var(--vscode-button-background); border: 0; padding: 0.3em 0.6em; }
</style>
</head>
<body>
${problem ? `<p role="alert">${escaped(problem)}</p>` : ""}
<pre>${escaped(step?.text ?? "Start debugging with wrongcall to be asked about calls.")}</pre>
<div>${buttons.join("\n")}</div>
<script nonce="${nonce}">
const api = acquireVsCodeApi();
for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => api.postMessage({ verdict: button.dataset.verdict }));
}
</script>
</body>
</html>`;
}
