// What strategies are called on the page: in words that need no paper. The command line has their names.

const TITLES: Record<string, string> = {
  "coverage-def-use": "Halve the writes and reads",
  "coverage-edges": "Halve the branches",
  "divide-by-queries": "Fewest questions on average",
  "dq-hirunkitti": "Nearest to half",
  "dq-shapiro": "Largest up to half",
  "heaviest-first": "From the top, most calls first",
  "least-reading": "Least to read",
  lookahead: "Look a few questions ahead",
  "more-rules-first": "From the top, most functions first",
  "optimal-dq": "Most even halves",
  "single-stepping": "In the order in which calls ended",
  "top-down": "From the top, in order",
  "worst-case": "Fewest questions at worst",
};

/** A strategy that was added by somebody else has its name. */
export function strategyTitle(name: string): string {
  return TITLES[name] ?? name;
}
