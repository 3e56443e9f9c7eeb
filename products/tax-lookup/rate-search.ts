import type { CodeEntry, RateTable } from '#products/tax-lookup/rate-table.ts';

/** Letters and digits in small letters, without a plural s, so that 'Laptops' finds 'laptop'. */
function tokensOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((token) => (token.length > 3 && token.endsWith('s') && !token.endsWith('ss') ? token.slice(0, -1) : token))
    .filter((token) => token.length > 0);
}

function scoreOf(token: string, code: string, description: readonly string[], words: readonly string[]): number {
  if (/^\d+$/.test(token) && code.startsWith(token)) return 10;
  if (description.includes(token)) return 6;
  if (words.includes(token)) return 5;
  if (token.length < 3) return 0;
  if (description.some((word) => word.startsWith(token))) return 3;
  return words.some((word) => word.startsWith(token)) ? 2 : 0;
}

/**
 * Makes the search over a table. It gives the entries whose code, description or search words hold what is searched for,
 * best first: those that hold more of the words, then those that hold them better, then the order of the codes. Each
 * search walks the whole table, which is small by nature: people type it.
 */
export function createSearch(table: RateTable): (search: string) => CodeEntry[] {
  const indexed = table.entries.map((entry) => ({
    entry,
    description: tokensOf(entry.description),
    words: tokensOf(entry.words),
  }));
  return (search) => {
    const tokens = [...new Set(tokensOf(search))];
    return indexed
      .map(({ entry, description, words }) => {
        const scores = tokens.map((token) => scoreOf(token, entry.code, description, words));
        const found = scores.filter((score) => score > 0).length;
        // The first word of a description names the thing itself: 'Bicycles' before 'New pneumatic tyres'.
        const lead = tokens.some((token) => token === description[0]) ? 1 : 0;
        return { entry, found, score: scores.reduce((sum, score) => sum + score, lead) };
      })
      .filter(({ found }) => found > 0)
      .toSorted((one, other) => other.found - one.found || other.score - one.score || compare(one.entry, other.entry))
      .map(({ entry }) => entry);
  };
}

function compare(one: CodeEntry, other: CodeEntry): number {
  return one.code < other.code ? -1 : 1;
}
