interface Block {
  /** What stands before the `{`: selectors, or an at-rule. An at-rule without a block is all of it. */
  head: string;
  body?: string;
}

/** A declaration of a variable in a rule, with what it is given. */
const variable = /(--[\w-]+):((?:"[^"]*"|\([^)]*\)|[^;"{}])*);?/g;
const usedVariable = /var\(\s*(--[\w-]+)/g;

/**
 * The rules of a minified style sheet that say how this HTML looks before anything happens on it: they stand in the page, whose first paint then waits
 * for no file. Variables that nothing on the page uses are left out.
 */
export function criticalCss(css: string, html: string): string {
  const kept = rulesFor(css, namesIn(html));
  const declared = new Map<string, string>();
  for (const [, name = '', value = ''] of kept.matchAll(variable))
    declared.set(name, (declared.get(name) ?? '') + value);
  const needed = new Set<string>();
  const need = (text: string): void => {
    for (const [, name = ''] of text.matchAll(usedVariable)) {
      if (needed.has(name)) continue;
      needed.add(name);
      need(declared.get(name) ?? '');
    }
  };
  need(kept.replace(variable, '') + html);
  return kept.replace(variable, (whole, name: string) => (needed.has(name) ? whole : ''));
}

interface Names {
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

function namesIn(html: string): Names {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found = '']) => found);
  return {
    classes: new Set(all(/\sclass="([^"]*)"/g).flatMap((names) => names.split(/\s+/))),
    ids: new Set(all(/\sid="([^"]*)"/g)),
    tags: new Set(['html', 'body', ...all(/<([a-z][\w-]*)/gi).map((tag) => tag.toLowerCase())]),
  };
}

function rulesFor(css: string, names: Names): string {
  return blocksOf(css)
    .map(({ head, body }) => {
      if (body === undefined) return head;
      // The build has put fonts into the page, and those of Hindi come with its texts.
      if (/^@(font-face|media print)/.test(head)) return '';
      if (/^@(media|supports|layer|container)/.test(head)) {
        const inside = rulesFor(body, names);
        return inside === '' ? '' : `${head}{${inside}}`;
      }
      if (head.startsWith('@')) return `${head}{${body}}`;
      const selectors = partsOf(head, ',').filter((selector) => mayMatch(selector, names));
      return selectors.length === 0 ? '' : `${selectors.join(',')}{${body}}`;
    })
    .join('');
}

/** Could the selector match something that nobody has touched yet? What stands in brackets is taken to match. */
function mayMatch(selector: string, { classes, ids, tags }: Names): boolean {
  if (/:(hover|active|focus|disabled|checked|target)/.test(selector)) return false;
  let bare = selector.replaceAll(/\[[^\]]*\]/g, '');
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replaceAll(/\([^()]*\)/g, '');
  }
  bare = bare.replaceAll(/::?[\w-]+/g, '');
  return [...bare.matchAll(/([.#]?)((?:[\w-]|\\.)+)/g)].every(([, kind, name = '']) => {
    const plain = name.replaceAll('\\', '');
    return kind === '.' ? classes.has(plain) : kind === '#' ? ids.has(plain) : tags.has(plain.toLowerCase());
  });
}

function blocksOf(css: string): Block[] {
  const blocks: Block[] = [];
  let rest = css;
  while (rest !== '') {
    const opens = endOf(rest, (character) => character === '{' || character === ';');
    const head = rest.slice(0, opens).trim();
    if (rest[opens] === '{') {
      const closes = opens + 1 + endOf(rest.slice(opens + 1), (character) => character === '}');
      blocks.push({ head, body: rest.slice(opens + 1, closes) });
      rest = rest.slice(closes + 1);
    } else {
      if (head !== '') blocks.push({ head: `${head};` });
      rest = rest.slice(opens + 1);
    }
  }
  return blocks;
}

function partsOf(text: string, separator: string): string[] {
  const end = endOf(text, (character) => character === separator);
  return end === text.length ? [text] : [text.slice(0, end), ...partsOf(text.slice(end + 1), separator)];
}

/** Where a character stands outside of quotes and brackets; the length of the text without one. */
function endOf(text: string, isEnd: (character: string) => boolean): number {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\\') index += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (depth === 0 && isEnd(character)) return index;
    else if (character === '"' || character === "'") quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
  }
  return text.length;
}
