import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'start-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The output of the plain JavaScript that runs before anything is installed. */
function ask(file: string, expression: string): unknown {
  const script = `import(${JSON.stringify(projectFolder('ship', 'launch', file))}).then((m) => console.log(JSON.stringify(${expression}) ?? 'null'))`;
  return JSON.parse(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout);
}

test.each([
  ['18.20.0', false],
  ['20.18.1', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.1.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is supported: %s', (version, fits) => {
  expect(ask('node-version.mjs', `m.nodeVersionFault('${version}') === undefined`)).toBe(fits);
});

const lock = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } };
const installed = (packages: object) => {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: lock }));
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  return ask('install.mjs', `m.isInstalled(${JSON.stringify(root)})`);
};

test('packages count as installed when each is present in its version; those for other machines may be missing', () => {
  expect(installed({ 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  expect(installed({ 'node_modules/a': { version: '1.0.1' } })).toBe(false);
  expect(installed({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } })).toBe(false);
  expect(installed({})).toBe(false);
});

test('a folder without packages is not installed', () => {
  expect(ask('install.mjs', `m.isInstalled(${JSON.stringify(tmpdir())})`)).toBe(false);
});
