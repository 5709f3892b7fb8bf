// Requests to the server: each is typed by the contract in api.ts.

import type { Answers, Exchanges, Failure } from "./api";

/** A request that the server refused, with its reason. */
export class Refused extends Error {
  readonly status: number;
  readonly contradicts: number[];

  constructor(message: string, status: number, contradicts: number[]) {
    super(message);
    this.status = status;
    this.contradicts = contradicts;
  }
}

/** Parameters by name: those that the path names in braces go there, the others into the query. */
export type Parameters = Record<string, string | number | null | undefined>;

export interface Target {
  path: string;
  query: Parameters;
}

const ROOT = new URL("api/", document.baseURI.replace(/[?#].*$/, ""));

/** Fill in the parameters that a path names: `calls/{call}` becomes `calls/8`. */
export function target(path: string, parameters: Parameters = {}): Target {
  const query = { ...parameters };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query[name];
    delete query[name];
    return String(value);
  });
  return { path: filled, query };
}

export function address(path: string, parameters: Parameters = {}): string {
  const { path: filled, query } = target(path, parameters);
  const url = new URL(filled, ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

export async function get<P extends keyof Answers>(
  path: P,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<Answers[P]> {
  return answered(await fetch(address(path, parameters), signal ? { signal } : {}));
}

export async function post<P extends keyof Exchanges>(
  path: P,
  sent: Exchanges[P]["sent"],
  signal?: AbortSignal,
): Promise<Exchanges[P]["answer"]> {
  return answered(
    await fetch(address(path), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(sent),
      ...(signal ? { signal } : {}),
    }),
  );
}

async function answered<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const text = await response.text();
  const failure = parsed(text);
  throw new Refused(
    failure?.error ?? (text.trim() || `status ${response.status}`),
    response.status,
    failure?.contradicts ?? [],
  );
}

function parsed(text: string): Failure | null {
  try {
    return JSON.parse(text) as Failure;
  } catch {
    return null; // plain text, as of the guard
  }
}
