import { expect, test } from 'vitest';
import { firstLoad } from './first-load.ts';
import { buildPage } from './test-build.ts';

const page = {
  'index.html': '<script type="module" src="./main.ts"></script>',
  'main.ts': "document.title = 'x'.repeat(3); void import('./page.ts');",
  'page.ts': `document.body.append(${JSON.stringify(Array.from({ length: 200 }, (_, each) => each ** 3))}); void import('./texts.hi.ts');`,
  'texts.hi.ts': `document.body.append(${JSON.stringify(Array.from({ length: 400 }, (_, each) => each ** 5))});`,
};

test('the build fails when a page loads more than the limit, Hindi texts included', async () => {
  await expect(buildPage(page, [firstLoad({ pages: ['page.ts'], limit: 100 })])).rejects.toThrow(
    /page\.ts in English: 2 files, .* more than 0\.1 KB/,
  );
  await expect(buildPage(page, [firstLoad({ pages: ['page.ts'], limit: 2_000 })])).rejects.toThrow(
    /page\.ts in Hindi: 3 files/,
  );
  await expect(buildPage(page, [firstLoad({ pages: ['page.ts'], limit: 20_000 })])).resolves.toBeDefined();
  const later = ['texts.hi.ts'];
  await expect(buildPage(page, [firstLoad({ pages: ['page.ts'], limit: 2_000, later })])).resolves.toBeDefined();
});

test('a page that the build does not have is an error', async () => {
  await expect(buildPage(page, [firstLoad({ pages: ['gone.ts'], limit: 1e6 })])).rejects.toThrow('has no gone.ts');
});
