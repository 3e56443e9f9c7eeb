import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { projectFolder } from '#platform/project-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-catalog-folder-'));
const file = join(folder, 'tax-lookup-api.yaml');
// As if the `.env` of this installation named the folder.
vi.mock('#platform/env-file.ts', () => ({ loadEnvFile: () => vi.stubEnv('CATALOG_DIR', folder) }));
const checked = z.object({ products: z.array(z.object({ id: z.string() })) });
const terminal = captureTerminal();
beforeEach(() => {
  vi.stubEnv('CATALOG_DIR', undefined);
  writeFileSync(file, readFileSync(projectFolder('standins', 'catalog', 'tax-lookup-api.yaml')));
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

test('the catalogue of a command is the one in .env, unless --folder or --from names another', async () => {
  const ids = async (...words: string[]) => {
    terminal.out = '';
    expect(await run(['catalog', 'check', '--json', ...words])).toBe(exitCodes.done);
    return checked.parse(JSON.parse(terminal.out)).products.map(({ id }) => id);
  };
  expect(await ids()).toEqual(['tax-lookup-api']);
  expect(await ids('--folder', projectFolder('standins', 'catalog'))).toEqual(
    expect.arrayContaining(['tax-lookup-api', 'invoicing-system']),
  );
  expect(await run(['catalog', 'set', 'tax-lookup-api', 'position=7'])).toBe(exitCodes.done);
  expect(readFileSync(file, 'utf8')).toContain('position: 7');
  terminal.out = '';
  expect(await run(['catalog', 'diff', projectFolder('standins', 'catalog')])).toBe(exitCodes.done);
  expect(terminal.out).toContain('invoicing-system: added');
});
