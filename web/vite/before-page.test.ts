import { expect, test } from 'vitest';
import { writeBeforePage } from './before-page.ts';
import { buildPage, pageOf } from './test-build.ts';

test('the inline script lists the files and calls of each early page', async () => {
  const output = await buildPage(
    {
      'index.html': '<!--before-page--><script type="module" src="./main.ts"></script>',
      'main.ts': "import './shared.ts'; void import('./keys-page.ts');",
      'shared.ts': "document.title = 'shared';",
      'keys-page.ts': "import './keys.css'; import './shared.ts'; document.title += 'keys';",
      'keys.css': 'body { color: red }',
    },
    [writeBeforePage([{ path: '/keys/:id', module: 'keys-page.ts', calls: ['/keys/:id/usage'] }])],
  );
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(pageOf(output)) ?? [];
  const names = output.map(({ fileName }) => fileName);
  const own = names.filter((name) => /keys-page-.*\.(js|css)$/.test(name)).map((name) => `/${name}`);
  expect(own).toHaveLength(2);
  for (const name of own) expect(script).toContain(name);
  expect(script).not.toContain(names.find((name) => name.startsWith('assets/index-')));
  expect(script).toContain('^/keys/([^/]+)$');
  expect(script).toContain('/keys/$1/usage');
  expect(script).toContain('data-mantine-color-scheme');
});

test('a page that the server renders leaves the language that was chosen, and waits for no style sheet', async () => {
  const output = await buildPage(
    {
      'index.html': '<!--before-page--><!--before-root--><script type="module" src="./main.ts"></script>',
      'main.ts': "import './main.css';",
      'main.css': 'body { color: red }',
    },
    [writeBeforePage([])],
  );
  const sheet = output.map(({ fileName }) => fileName).find((name) => name.endsWith('.css'));
  const scripts = [...pageOf(output).matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script);
  expect(scripts).toEqual([expect.stringContaining(`/${sheet}`), expect.stringContaining('root-hi')]);
  expect(pageOf(output)).not.toContain('rel="stylesheet"');
});

test('an early page that the build does not have is an error', async () => {
  const page = { 'index.html': '<!--before-page--><script type="module">document.title = "a"</script>' };
  const plugin = writeBeforePage([{ path: '/gone', module: 'gone-page.ts', calls: [] }]);
  await expect(buildPage(page, [plugin])).rejects.toThrow('has no gone-page.ts');
});
