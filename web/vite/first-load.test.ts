import { expect, test } from 'vitest';
import { firstLoad } from './first-load.ts';
import { buildPage } from './test-build.ts';

const page = {
  'index.html': '<script type="module" src="./main.ts"></script>',
  'main.ts': "document.title = 'x'.repeat(3); void import('./page.ts');",
  'page.ts': `document.body.append(${JSON.stringify(Array.from({ length: 200 }, (_, each) => each ** 3))}); void import('./texts.hi.ts');`,
  'texts.hi.ts': `document.body.append(${JSON.stringify(Array.from({ length: 400 }, (_, each) => each ** 5))});`,
};

const inBoth = (limit: number) => ({ English: limit, Hindi: limit });
const pageOf = (limit: number) => ({ '/page': { entry: 'index.html', module: 'page.ts', limit: inBoth(limit) } });

test('the build fails when a page loads more than the limit, Hindi texts included', async () => {
  await expect(buildPage(page, [firstLoad({ pages: pageOf(100) })])).rejects.toThrow(
    /\/page in English: 2 files, .* more than 0\.1 KB/,
  );
  await expect(buildPage(page, [firstLoad({ pages: pageOf(2_000) })])).rejects.toThrow(/\/page in Hindi: 3 files/);
  await expect(buildPage(page, [firstLoad({ pages: pageOf(20_000) })])).resolves.toBeDefined();
  const later = ['texts.hi.ts'];
  await expect(buildPage(page, [firstLoad({ pages: pageOf(2_000), later })])).resolves.toBeDefined();
});

test('the limit of each language holds for it alone', async () => {
  const pages = { '/page': { entry: 'index.html', module: 'page.ts', limit: { English: 100, Hindi: 20_000 } } };
  await expect(buildPage(page, [firstLoad({ pages })])).rejects.toThrow('/page in English');
});

const alone = (limit: number) => [firstLoad({ pages: { '/': { entry: 'index.html', limit: inBoth(limit) } } })];

test('an entry without a page of its own has a limit too', async () => {
  await expect(buildPage(page, alone(10))).rejects.toThrow(/\/ in English: 1 files/);
  await expect(buildPage(page, alone(20_000))).resolves.toBeDefined();
});

test('a page that the build does not have is an error', async () => {
  await expect(
    buildPage(page, [firstLoad({ pages: { '/gone': { entry: 'gone.html', limit: inBoth(1e6) } } })]),
  ).rejects.toThrow('has no gone.html');
});
