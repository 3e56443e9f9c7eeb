import { z } from 'zod';
import type { TranslatedLanguage } from './catalog-texts.ts';
import { type MarkdownText, readMarkdownText } from './markdown-text.ts';
import { slug } from './plan-schema.ts';
import { issueFaults, parseYaml } from './yaml-file.ts';

/** Guides of the catalogue: Markdown files in its folder `docs`, each a public page of its own (decision 071). */

export interface Guide {
  /** The name of its file, and the end of its address. */
  id: string;
  /** Guides are listed in the order of this number. */
  position: number;
  /** The product that it is about; undefined: it is about all of them. */
  product: string | undefined;
  texts: { en: MarkdownText } & Partial<Record<TranslatedLanguage, MarkdownText>>;
}

const frontSchema = z.strictObject({ position: z.int().min(1), product: slug.optional() });
type Front = z.output<typeof frontSchema>;

const guideFile = /^docs\/([a-z][a-z0-9-]{1,40})(\.hi)?\.md$/;
const isGuide = (path: string): boolean => path.startsWith('docs/') && path.endsWith('.md');
const maxGuides = 200;
/** YAML is slow to read. */
const maxFrontLines = 20;

/** Reads all guides, in their order. Adds their faults to `faults`, with file and line. */
export function readGuides(
  files: ReadonlyMap<string, Buffer>,
  products: ReadonlySet<string>,
  faults: string[],
): Guide[] {
  const paths = [...files.keys()].filter(isGuide).toSorted();
  if (paths.length > maxGuides) {
    faults.push(`docs: has ${paths.length} guides; the limit is ${maxGuides}`);
    return [];
  }
  const guides: Guide[] = [];
  const translations: { id: string; path: string; text: MarkdownText }[] = [];
  for (const path of paths) {
    const [, id, inHindi] = guideFile.exec(path) ?? [];
    if (id === undefined) {
      faults.push(
        `${path}: a guide lies in docs itself, with a name of small letters, digits and -, such as docs/quick-start.md, and docs/quick-start.hi.md in Hindi`,
      );
      continue;
    }
    const source = files.get(path)?.toString() ?? '';
    const { front, text } = readGuide(source, path, inHindi === undefined, faults);
    if (text === undefined) continue;
    faults.push(...brokenLinks(source, path, (name) => files.has(`docs/${name}`)));
    if (inHindi !== undefined) translations.push({ id, path, text });
    else if (front !== undefined) {
      if (front.product !== undefined && !products.has(front.product))
        faults.push(`${path}: product: there is no product "${front.product}"`);
      guides.push({ id, position: front.position, product: front.product, texts: { en: text } });
    }
  }
  for (const { id, path, text } of translations) {
    const guide = guides.find((each) => each.id === id);
    if (guide !== undefined) guide.texts.hi = text;
    else if (!files.has(`docs/${id}.md`)) faults.push(`${path}: there is no docs/${id}.md, which it translates`);
  }
  return guides.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}

/** A translation has no front matter: its place is that of its English. */
function readGuide(
  source: string,
  path: string,
  hasFront: boolean,
  faults: string[],
): { front: Front | undefined; text: MarkdownText | undefined } {
  const lines = source.split(/\r?\n/);
  const end = hasFront && lines[0] === '---' ? lines.slice(0, maxFrontLines).indexOf('---', 1) : -1;
  const front = hasFront ? readFront(lines.slice(1, Math.max(end, 1)).join('\n'), path, faults) : undefined;
  const text = readMarkdownText(
    lines.slice(end + 1).join('\n'),
    (line, message) => void faults.push(`${path}:${line}: ${message}`),
    end + 1,
  );
  return { front, text };
}

function readFront(source: string, path: string, faults: string[]): Front | undefined {
  if (source === '') {
    faults.push(
      `${path}:1: must begin with its place among the guides: a line ---, a line position: 1, and a line ---`,
    );
    return undefined;
  }
  // The line above it makes its lines those of the file.
  const yaml = parseYaml(`\n${source}`, path, faults);
  if (yaml === undefined) return undefined;
  const parsed = frontSchema.safeParse(yaml.content);
  if (!parsed.success) faults.push(...issueFaults(parsed.error, yaml));
  return parsed.data;
}

/** Links to other guides, by the names of their files. */
function brokenLinks(source: string, path: string, exists: (name: string) => boolean): string[] {
  return source
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\]\(([\w.-]+\.md)(?:#[^)\s]*)?\)/g)].flatMap(([, name = '']) =>
        exists(name) ? [] : [`${path}:${index + 1}: links to ${name}, which is not in docs`],
      ),
    );
}
