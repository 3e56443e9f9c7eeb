import { expect, test } from 'vitest';
import { createFileOf } from './chunks.ts';

const core = '/node_modules/@mantine/core/esm/index.mjs';
const modules: Record<string, { code: string; importedIds: string[] }> = {
  '/main.ts': { code: "import { Button } from '@mantine/core';", importedIds: [core, '/shared.ts'] },
  '/page.ts': { code: '', importedIds: ['/shared.ts', '/chart.ts'] },
  '/shared.ts': { code: '', importedIds: [] },
  '/chart.ts': { code: '', importedIds: [] },
  [core]: {
    code: "import { Button } from './Button.mjs'; export { Modal } from './Modal.mjs'; export { Button };",
    importedIds: [],
  },
};
const graph = { getModuleInfo: (id: string) => modules[id] ?? null };
const fileOf = createFileOf([
  { file: 'frame', from: ['/main.ts'] },
  { file: 'pages', from: ['/page.ts'] },
]);

test.each([
  ['/main.ts', 'frame'],
  ['/shared.ts', 'frame'],
  ['/chart.ts', 'pages'],
  ['/elsewhere.ts', null],
])('%s goes into the file of the first step that reaches it: %s', (id, file) => {
  expect(fileOf(id, graph)).toBe(file);
});

test('reaches only the imported modules of a package with one index module', () => {
  expect(fileOf('/node_modules/@mantine/core/esm/Button.mjs', graph)).toBe('frame');
  expect(fileOf('/node_modules/@mantine/core/esm/Modal.mjs', graph)).toBeNull();
});
