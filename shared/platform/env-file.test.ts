import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { loadEnvFile } from './env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-env-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  delete process.env['OCTROI_TEST_NEW'];
});

test('a settings file never replaces the environment, not even an empty value', () => {
  const file = join(folder, 'settings.env');
  writeFileSync(file, 'OCTROI_TEST_NEW="from the file" # said\nOCTROI_TEST_SET=file\nOCTROI_TEST_EMPTY=file\n');
  vi.stubEnv('OCTROI_TEST_SET', 'environment');
  vi.stubEnv('OCTROI_TEST_EMPTY', '');
  loadEnvFile(file);
  const { OCTROI_TEST_NEW: added, OCTROI_TEST_SET: set, OCTROI_TEST_EMPTY: empty } = process.env;
  expect({ added, set, empty }).toEqual({ added: 'from the file', set: 'environment', empty: '' });
});

test('a settings file that cannot be read is named with the reason; a missing file counts as empty', () => {
  const file = join(folder, '.env');
  loadEnvFile(file);
  mkdirSync(file);
  expect(() => loadEnvFile(file)).toThrow(`The settings in ${file} can't be read: it is a folder.`);
});
