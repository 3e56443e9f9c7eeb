import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import writeSheets from 'write-excel-file/node';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readOfficialList } from '#products/tax-lookup/official-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-hsn-'));
const terminal = captureTerminal();
const cell = (value: string) => ({ value, type: String });
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('the official list is imported into the data folder, and what was repaired is listed; a missing file is named', async () => {
  const rows = [
    ['HSN_CD', 'HSN_Description'],
    ['1', 'LIVE ANIMALS'],
    ['0103', 'Live swine'],
  ];
  const file = join(folder, 'HSN_SAC.xlsx');
  await writeSheets(rows.map((row) => row.map(cell))).toFile(file);
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
  expect(await run(['hsn', 'import', file])).toBe(exitCodes.done);
  expect(terminal.out).toContain('1 codes had lost their leading zero');
  expect([...readOfficialList(join(folder, 'data')).descriptions.keys()]).toEqual(['01', '0103']);
  expect(await run(['hsn', 'import', '/nowhere.xlsx'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain("/nowhere.xlsx can't be read: there is no such file or folder.");
  expect(await run(['hsn', 'import', folder])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${folder} can't be read: it is a folder.`);
  const large = join(folder, 'large.xlsx');
  writeFileSync(large, Buffer.alloc(3_000_001));
  expect(await run(['hsn', 'import', large])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${large} is larger than 3 MB: is it the list of the GST portal?`);
});
