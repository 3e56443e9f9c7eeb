import MiniSearch from 'minisearch';
import { setImmediate as breathe } from 'node:timers/promises';
import { maxQuery, type PageHit } from '#shared/contract/public-pages.ts';

/** A page to find. */
export interface SearchPage extends PageHit {
  /** All its words, in Markdown; empty where only its title and description are known. */
  body: string;
  /** Its title in English, by which it is found in Hindi as well. */
  english: string;
}

export interface SearchIndex {
  find: (query: string, most?: number) => PageHit[];
}

const maxBody = 20_000;
/** More words of a query are ignored, so that none is expensive. */
const maxWords = 6;
const maxWordLength = 30;
const mostHits = 20;
/** Of the text around the words that were found. */
const excerptLength = 160;

const normalized = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Words of any script, with marks such as vowels of Devanagari; `snake_case` and `camelCase` also by their parts. */
function wordsOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  return words.flatMap((word) => {
    const parts = word.split(/_|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part !== '');
    return parts.length > 1 ? [word, ...parts] : parts;
  });
}

/** Of pages, in memory. Others are served while it is made. */
export async function indexOf(pages: AsyncIterable<SearchPage>): Promise<SearchIndex> {
  const kept: { page: PageHit; body: string }[] = [];
  const index = new MiniSearch<{ id: number; title: string; text: string; body: string; english: string }>({
    fields: ['title', 'text', 'body', 'english'],
    tokenize: wordsOf,
    processTerm: (word) => (word.length > maxWordLength ? null : normalized(word)),
  });
  for await (const { body: markdown, english, ...page } of pages) {
    const body = plain(markdown).slice(0, maxBody);
    index.add({ id: kept.length, title: page.title, text: page.text, body, english });
    kept.push({ page, body });
    await breathe();
  }
  return {
    find: (given, most = mostHits) => {
      const query = boundedQuery(given);
      if (query === '') return [];
      const ways = {
        boost: { title: 4, english: 3, text: 2 },
        prefix: (word: string) => word.length > 1,
        fuzzy: (word: string) => (word.length > 4 ? 1 : false),
      };
      const all = index.search(query, { ...ways, combineWith: 'AND' });
      const found = all.length > 0 ? all : index.search(query, { ...ways, combineWith: 'OR' });
      return found.slice(0, most).flatMap(({ id, terms }) => {
        const hit = kept[Number(id)];
        return hit === undefined ? [] : [{ ...hit.page, text: excerptOf(hit.body, terms) ?? hit.page.text }];
      });
    },
  };
}

/** The words of a query that count. */
function boundedQuery(query: string): string {
  return wordsOf(query.slice(0, maxQuery))
    .filter((word) => word.length <= maxWordLength)
    .slice(0, maxWords)
    .join(' ');
}

/** Where one of the words stands first, from the beginning of its sentence if that is near. */
function excerptOf(body: string, terms: readonly string[]): string | undefined {
  const lower = normalized(body);
  // Another length is another text: its places are not those of the body.
  if (lower.length !== body.length) return undefined;
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0));
  if (!Number.isFinite(at)) return undefined;
  const start = Math.max(0, at - excerptLength / 3);
  const from = start === 0 ? 0 : body.indexOf(' ', start) + 1;
  const end = from + excerptLength;
  const to = end >= body.length ? body.length : body.lastIndexOf(' ', end);
  return `${from > 0 ? '… ' : ''}${body.slice(from, to)}${to < body.length ? ' …' : ''}`;
}

/** Markdown without its signs and addresses. */
export function plain(markdown: string): string {
  return (
    markdown
      .replaceAll(/\]\([^()\s]*\)/g, ' ')
      .replaceAll(/[#*`|>[\]\\]+|^[ \t]*-+\s/gm, ' ')
      // A heading, or an entry of a list, has no full stop.
      .replaceAll(/(?<=[^\s.!?:,;।])\s*\n\s*(?=\S)/g, ' · ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}
