// Where two texts differ: what both begin and end with is left out.

export type Differing = [before: string, middle: string, after: string];

/** Characters of which a name or a number is made: marks don't begin or end inside one. */
const WORD = /[\p{L}\p{N}_.]/u;

export function differing(one: string, other: string): [Differing, Differing] {
  const [a, b] = [[...one], [...other]];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  const splits = WORD.test(a[start] ?? "") || WORD.test(b[start] ?? "");
  while (splits && start > 0 && WORD.test(a[start - 1] ?? "")) start -= 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const ends = [a, b].some((text) => text.length - end > start && WORD.test(text[text.length - end - 1] ?? ""));
  while (ends && end > 0 && WORD.test(a[a.length - end] ?? "")) end -= 1;
  return [cut(a, start, end), cut(b, start, end)];
}

function cut(text: string[], start: number, end: number): Differing {
  const until = text.length - end;
  return [text.slice(0, start).join(""), text.slice(start, until).join(""), text.slice(until).join("")];
}
