import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { CatalogFaults, catalogOf } from './catalog.ts';
import { compareCatalogs } from './compare-catalogs.ts';

const product = readFileSync(projectFolder('ship', 'standins', 'catalog', 'map-tiles.yaml'));
const catalogWith = (guides: Record<string, string>) =>
  catalogOf(
    new Map([
      ['map-tiles.yaml', product],
      ...Object.entries(guides).map(([name, text]) => [`docs/${name}`, Buffer.from(text)] as const),
    ]),
  );

function faultsOf(guides: Record<string, string>): readonly string[] {
  try {
    catalogWith(guides);
  } catch (error) {
    if (error instanceof CatalogFaults) return error.faults;
    throw error;
  }
  return [];
}

const front = '---\nposition: 2\n---\n';
const sound = `${front}# Start\n\nSays *what* it is.\n\n## Then\n\nMore.\n`;

test('guides have a title, a first paragraph, a place and translations', () => {
  const { guides } = catalogWith({
    'b1.md': sound,
    'start.md': '---\nposition: 2\nproduct: map-tiles\n---\n\n# The `start`\nOf it\n',
    'first.md': '---\r\nposition: 1\r\n---\r\n# First\r\n\r\nOne [link](b1.md#then).\r\n',
    'first.hi.md': '# पहला\n\nएक।\n',
  });
  expect(guides[0]?.texts.hi).toMatchObject({ title: 'पहला', lead: 'एक।' });
  expect(guides[2]?.texts.en).toMatchObject({ title: 'The start', lead: 'Of it', body: '' });
  expect(guides.map(({ id, product: about }) => [id, about])).toEqual([
    ['first', undefined],
    ['b1', undefined],
    ['start', 'map-tiles'],
  ]);
});

test.each([
  ['no front matter', { 'a1.md': '# A\n\nB\n' }, [/^docs\/a1\.md:1: must begin with its place/]],
  ['a place that is none', { 'a1.md': '---\nposition: first\n---\n# A\n\nB\n' }, [/^docs\/a1\.md:2: position: /]],
  ['an unknown field', { 'a1.md': '---\nposition: 1\norder: 2\n---\n# A\n\nB\n' }, [/^docs\/a1\.md:\d: .*order/]],
  ['no title', { 'a1.md': `${front}\nText\n` }, [/^docs\/a1\.md:5: must begin with its title/]],
  ['a heading in place of the first paragraph', { 'a1.md': `${front}# A\n\n## B\n` }, [/^docs\/a1\.md:6: .*paragraph/]],
  [
    'a value that there is not',
    { 'a1.md': `${sound}\n{{gateway}}\n` },
    [/^docs\/a1\.md:12: there is no value for {{gateway}}/],
  ],
  [
    'a link to no guide',
    { 'a1.md': `${sound}[b](b2.md#x)\n` },
    [/^docs\/a1\.md:11: links to b2\.md, which is not in docs/],
  ],
  [
    'a product that is not for sale',
    { 'a1.md': '---\nposition: 1\nproduct: tiles\n---\n# A\n\nB\n' },
    [/no product "tiles"/],
  ],
  ['a translation of nothing', { 'a1.hi.md': '# A\n\nB\n' }, [/^docs\/a1\.hi\.md: there is no docs\/a1\.md/]],
  ['a name that is no address', { 'Read Me.md': sound }, [/^docs\/Read Me\.md: a guide lies in docs itself/]],
  ['a folder', { 'more/a1.md': sound }, [/^docs\/more\/a1\.md: a guide lies in docs itself/]],
  ['too much text', { 'a1.md': `${sound}${'a'.repeat(65_536)}` }, [/^docs\/a1\.md:1: has more than 65536 bytes/]],
  [
    'too many',
    Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`g${index}.md`, sound])),
    [/has 201 guides/],
  ],
])('a guide with %s is refused with file, line and remedy', (_what, guides, wanted) => {
  const faults = faultsOf(guides);
  expect(faults).toHaveLength(wanted.length);
  for (const [index, pattern] of wanted.entries()) expect(faults[index]).toMatch(pattern);
});

test('braces with spaces inside stay as they are', () => {
  const [guide] = catalogWith({ 'a1.md': `${sound}\n{{ user.name }} {{portalUrl}}\n` }).guides;
  expect(guide?.texts.en).toMatchObject({
    title: 'Start',
    lead: 'Says *what* it is.',
    description: 'Says what it is.',
  });
  expect(guide?.texts.en.body).toContain('{{ user.name }} {{portalUrl}}');
});

test('a comparison names guides that are added, changed in any language, or removed', () => {
  const before = catalogWith({ 'a1.md': sound, 'b1.md': sound, 'c1.md': sound });
  const after = catalogWith({ 'b1.md': sound, 'b1.hi.md': '# B\n\nC\n', 'c1.md': sound, 'd1.md': sound });
  expect(compareCatalogs(before, after).map(({ product: where, change }) => `${where}: ${change}`)).toEqual([
    'docs: guide a1 removed',
    'docs: guide b1 changed',
    'docs: guide d1 added',
  ]);
  expect(compareCatalogs(before, before)).toEqual([]);
});
