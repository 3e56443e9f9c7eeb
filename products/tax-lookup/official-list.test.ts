import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import writeSheets from 'write-excel-file/node';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import { ImportFault, importOfficialList, reportOf } from '#products/tax-lookup/official-import.ts';
import { noOfficialList, readOfficialList, writeOfficialList } from '#products/tax-lookup/official-list.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { quietLog, ratesFolder, testNow } from '#products/test-products.ts';

const folder = mkdtempSync(join(tmpdir(), 'official-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * The list as downloaded from the GST portal; we may not redistribute it, so it is tested only where HSN_SAC_FILE names
 * it.
 */
const realList = process.env['HSN_SAC_FILE'];

type Cell = { value: string | number; type: typeof String | typeof Number };
const cell = (value: string | number): Cell => ({ value, type: typeof value === 'string' ? String : Number });

async function sheetFile(name: string, hsn: (string | number)[][], sac: (string | number)[][]): Promise<string> {
  const path = join(folder, name);
  await writeSheets([
    { sheet: 'HSN_MSTR', data: [['HSN_CD', 'HSN_Description'], ...hsn].map((row) => row.map(cell)) },
    { sheet: 'SAC_MSTR', data: [['SAC_CD', 'SAC_Description'], ...sac].map((row) => row.map(cell)) },
  ]).toFile(path);
  return path;
}

const goods = [
  ['01', 'LIVE ANIMALS'],
  ['30559', 'FISH~Smoked fish~Other:'],
  [3_074_330, 'FISH~Molluscs\r\r\nin shell~Squid  tubes'],
  ['2307 00', 'WINE LEES'],
  ['84713010', 'PERSONAL COMPUTER_x000D_'],
  ['84713010', 'PERSONAL COMPUTER AND LAPTOP'],
  ['39021', 'x'],
  ['abc', 'no code'],
];
const services = [
  [99, 'ALL SERVICES'],
  [998_313, 'IT consulting and support'],
  [99_831, 'IT services'],
];

test('known defects are repaired and reported', async () => {
  const file = await sheetFile('list.xlsx', goods, services);
  const { list, repairs } = await importOfficialList(file, '2026-11-21T06:30:00.000Z');
  expect([...list.descriptions]).toEqual([
    ['01', 'LIVE ANIMALS'],
    ['030559', 'FISH › Smoked fish › Other:'],
    ['03074330', 'FISH › Molluscs in shell › Squid tubes'],
    ['039021', 'x'],
    ['230700', 'WINE LEES'],
    ['84713010', 'PERSONAL COMPUTER AND LAPTOP'],
    ['99', 'ALL SERVICES'],
    ['99831', 'IT services'],
    ['998313', 'IT consulting and support'],
  ]);
  expect(repairs).toEqual({
    zeroPutBack: ['030559', '03074330', '039021'],
    signsRemoved: ['230700'],
    lineEndsRemoved: ['03074330', '84713010'],
    doubled: ['84713010'],
    withoutDescription: [],
    skipped: ['abc'],
  });
  expect(reportOf(list, repairs)).toEqual([
    '6 codes of goods (HSN), 3 of services (SAC).',
    '  3 codes had lost their leading zero: 030559, 03074330, 039021',
    '  1 codes contained spaces or punctuation: 230700',
    '  2 descriptions contained line ends or _x000D_: 03074330, 84713010',
    '  1 codes were duplicates (the longer description was kept): 84713010',
    '  1 rows without a code were skipped: abc',
  ]);
});

test('a stored list is read back unchanged, and without an import the list is empty', async () => {
  expect(readOfficialList(join(folder, 'nowhere'))).toEqual(noOfficialList);
  const { list } = await importOfficialList(await sheetFile('again.xlsx', goods, services), '2026-11-21T06:30:00.000Z');
  const path = writeOfficialList(folder, list);
  expect(readOfficialList(folder)).toEqual(list);
  writeFileSync(path, '{"codes":[');
  expect(() => readOfficialList(folder)).toThrow('is broken; import the list again');
});

test('a file that is not a spreadsheet, or a different one, is refused with a message', async () => {
  const text = join(folder, 'list.csv');
  writeFileSync(text, 'HSN_CD,HSN_Description\n01,LIVE ANIMALS\n');
  await expect(importOfficialList(text, '')).rejects.toThrow(ImportFault);
  const other = join(folder, 'other.xlsx');
  await writeSheets([[cell('Name')], [cell('x')]]).toFile(other);
  await expect(importOfficialList(other, '')).rejects.toThrow('is it the list of the GST portal?');
});

test('the API searches and describes the imported codes, and still guesses no rate', async () => {
  const { list } = await importOfficialList(await sheetFile('api.xlsx', goods, services), '2026-11-21T06:30:00.000Z');
  const server = await createTaxLookup({
    gatewayUrl: 'x',
    table: readRateTable(ratesFolder),
    official: list,
    search: undefined,
    now: testNow,
    log: quietLog,
  });
  expect((await server.inject('/v1/hsn?search=squid')).json()).toEqual({
    search: 'squid',
    total: 1,
    results: [
      {
        code: '03074330',
        description: 'FISH › Molluscs in shell › Squid tubes',
        kind: 'goods',
        rateStatus: 'not_curated',
        rates: [],
      },
    ],
  });
  expect((await server.inject('/v1/hsn/84713010')).json()).toMatchObject({ listed: true, matchedCode: '847130' });
  expect((await server.inject('/v1/hsn/84713099')).json()).toMatchObject({ listed: false });
  expect((await server.inject('/v1/hsn/230700')).json()).toMatchObject({
    listed: true,
    description: 'WINE LEES',
    rateStatus: 'not_curated',
    rates: [],
  });
  await server.close();
});

test('the real list of June 2025 is fully repaired', async ({ skip }) => {
  if (realList === undefined) return skip('HSN_SAC_FILE does not name the list of the GST portal');
  const { list, repairs } = await importOfficialList(realList, '2026-11-21T06:30:00.000Z');
  expect(list.descriptions.size).toBe(22_241);
  expect(repairs.zeroPutBack).toEqual(['030559', '03074330', '040210', '05119110', '090121']);
  expect(repairs.signsRemoved).toEqual(['230700', '251400']);
  // Each of them is in the list a second time, in the correct form.
  expect(repairs.doubled).toHaveLength(7);
  expect(repairs.skipped).toEqual([]);
  expect(list.descriptions.get('998313')).toMatch(/consult/i);
  expect([...list.descriptions.keys()].filter((code) => !/^\d{2}(?:\d{2,6})?$/.test(code))).toEqual([]);
  return undefined;
});
