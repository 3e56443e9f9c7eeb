import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkFolder, makeFolder, makePrivateFolder, makeWritableFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-make-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('makes a folder and those above it, of which only the last has the mode', () => {
  const path = join(folder, 'one', 'two', 'three');
  makeFolder(path, 0o700);
  expect(modeOf(path)).toBe(0o700);
  expect(modeOf(join(folder, 'one'))).toBe(0o777 & ~process.umask());
});

test('a folder that is there stays as it is', () => {
  const path = join(folder, 'there');
  makeFolder(path, 0o750);
  writeFileSync(join(path, 'file'), '');
  makeWritableFolder(path, 0o700);
  expect([modeOf(path), existsSync(join(path, 'file'))]).toEqual([0o750, true]);
});

test('a check of a folder makes none, and leaves the one that is there', () => {
  checkFolder(join(folder, 'new', 'one'));
  expect(existsSync(join(folder, 'new'))).toBe(false);
  checkFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

const file = join(folder, 'file');
writeFileSync(file, '');
const link = join(folder, 'link');
symlinkSync(join(folder, 'unmounted', 'disk'), link);

test.each([
  [file, 'has this name'],
  [join(file, 'below'), 'a file is in the way'],
  [link, 'a link to nothing'],
  [join(link, 'below'), 'a link to nothing'],
])('%s is refused at once, with the reason', (path, reason) => {
  const refused = `The folder ${path} can't be made: `;
  expect(() => makeFolder(path)).toThrow(refused);
  expect(() => makeWritableFolder(path)).toThrow(reason);
  expect(() => checkFolder(path)).toThrow(refused);
});

test.runIf(process.platform === 'linux')('a folder in /proc is refused at once', () => {
  expect(() => makeFolder('/proc/nope/below')).toThrow("can't be made: there is no such file or folder");
});

test('a private folder is closed to other users, also one that stood open', () => {
  const path = join(folder, 'private');
  const others = process.getuid?.() === 0 ? 0o711 : 0o700;
  makePrivateFolder(path);
  expect(modeOf(path)).toBe(others);
  chmodSync(path, 0o755);
  makePrivateFolder(path);
  expect(modeOf(path)).toBe(others);
});
