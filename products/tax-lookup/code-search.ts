import type { OfficialList } from '#products/tax-lookup/official-list.ts';
import { type CodeEntry, kindOfCode, type RateTable } from '#products/tax-lookup/rate-table.ts';

/** A search result. `entry` is the code's own curated entry, if it has one. */
export interface FoundCode {
  code: string;
  kind: 'goods' | 'services';
  description: string;
  entry: CodeEntry | undefined;
}

/** Lower-case letters and digits, without a plural s, so that 'Laptops' finds 'laptop'. */
function tokensOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((token) => (token.length > 3 && token.endsWith('s') && !token.endsWith('ss') ? token.slice(0, -1) : token))
    .filter((token) => token.length > 0);
}

/** Weights of a match by its place: a whole word, or the beginning of a longer one. */
const weights = {
  description: { whole: 6, beginning: 3 },
  words: { whole: 5, beginning: 2 },
  official: { whole: 4, beginning: 1 },
};
const codeWeight = 10;
const leastBeginning = 3;
/** More would only cost time: each word may match thousands of codes of the official list. */
export const maxSearchWords = 8;

interface Posting {
  found: number;
  whole: number;
  beginning: number;
}

/**
 * Creates the search over the curated table and the official list. It returns the codes whose number, description or
 * search words match one of the first eight words of the query, best first: more matching words, then better matches, then curated codes, then code
 * order.
 */
export function createSearch(table: RateTable, { descriptions }: OfficialList): (search: string) => FoundCode[] {
  const entries = new Map(table.entries.map((entry) => [entry.code, entry]));
  const codes = [...new Set([...entries.keys(), ...descriptions.keys()])].toSorted();
  const found = codes.map((code): FoundCode => {
    const entry = entries.get(code);
    return { code, kind: kindOfCode(code), description: entry?.description ?? descriptions.get(code) ?? '', entry };
  });
  const index = new Map<string, Posting[]>();
  const leads: (string | undefined)[] = [];
  for (const [at, { code, description, entry }] of found.entries()) {
    const add = (text: string, { whole, beginning }: { whole: number; beginning: number }) => {
      for (const token of new Set(tokensOf(text))) {
        const postings = index.get(token) ?? [];
        if (postings.at(-1)?.found !== at) postings.push({ found: at, whole, beginning });
        index.set(token, postings);
      }
    };
    if (entry !== undefined) add(description, weights.description);
    if (entry !== undefined) add(entry.words, weights.words);
    add(descriptions.get(code) ?? '', weights.official);
    leads.push(tokensOf(description)[0]);
  }
  const words = [...index.keys()].toSorted();

  /** The best score of one word for each matching code. */
  const scoresOf = (token: string): Map<number, number> => {
    const scores = new Map<number, number>();
    const score = (at: number, value: number) => scores.set(at, Math.max(value, scores.get(at) ?? 0));
    for (const posting of index.get(token) ?? []) score(posting.found, posting.whole);
    if (token.length >= leastBeginning) {
      const { from, to } = startingWith(words, token);
      for (const word of words.slice(from, to)) {
        for (const posting of index.get(word) ?? []) score(posting.found, posting.beginning);
      }
    }
    if (/^\d{2,}$/.test(token)) {
      const { from, to } = startingWith(codes, token);
      for (let at = from; at < to; at += 1) score(at, codeWeight);
    }
    return scores;
  };

  return (search) => {
    const tokens = [...new Set(tokensOf(search))].slice(0, maxSearchWords);
    const totals = new Map<number, { words: number; score: number }>();
    for (const token of tokens) {
      for (const [at, score] of scoresOf(token)) {
        const before = totals.get(at) ?? { words: 0, score: 0 };
        totals.set(at, { words: before.words + 1, score: before.score + score });
      }
    }
    // The first word of a description names the thing itself: 'Bicycles' before 'New pneumatic tyres'.
    const lead = (at: number) => (tokens.some((token) => token === leads[at]) ? 1 : 0);
    return [...totals]
      .map(([at, { words, score }]) => ({ at, words, score: score + lead(at) }))
      .toSorted(
        (a, b) => b.words - a.words || b.score - a.score || rank(found[a.at]) - rank(found[b.at]) || a.at - b.at,
      )
      .flatMap(({ at }) => found[at] ?? []);
  };
}

/** Curated codes rank before those that are only listed. */
function rank(found: FoundCode | undefined): number {
  return found?.entry === undefined ? 1 : 0;
}

/** Which texts of a sorted list begin with a text: from a place to the one before `to`. */
function startingWith(sorted: readonly string[], text: string): { from: number; to: number } {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while (sorted[to]?.startsWith(text) === true) to += 1;
  return { from: low, to };
}
