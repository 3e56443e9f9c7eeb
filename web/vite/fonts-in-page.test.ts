import { expect, test } from 'vitest';
import { fontsInPage } from './fonts-in-page.ts';
import { buildPage, pageOf } from './test-build.ts';

test('the Latin fonts stand in the page, and no style sheet names them again', async () => {
  const output = await buildPage(
    {
      'index.html': '<head></head><script type="module" src="./main.ts"></script>',
      'main.ts': "import './main.css';",
      'main.css': "@font-face { font-family: 'Geist Variable'; src: local('Geist') } body { color: red }",
    },
    [fontsInPage()],
  );
  expect(pageOf(output)).toMatch(/<style>@font-face\{font-family:Geist Variable;[^}]+\}<\/style>/);
  const sheets = output.flatMap((file) =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
  );
  expect(sheets).toEqual([expect.stringMatching(/^body\{color:red\}\s*$/)]);
});
