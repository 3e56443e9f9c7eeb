import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import readSheets from 'read-excel-file/node';
import type { OfficialList } from '#products/tax-lookup/official-list.ts';
import { repairRows, type RowRepairs, type SheetRows } from '#products/tax-lookup/official-rows.ts';

/** A file that is not the official list, described in a sentence for the operator. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault';
}

/**
 * Reads the spreadsheet of HSN and SAC codes that the GST portal offers for download. A sheet is identified by its
 * first column, HSN_CD or SAC_CD. Throws ImportFault when the file cannot be read or has neither.
 */
export async function importOfficialList(
  file: string,
  importedAt: string,
): Promise<{ list: OfficialList; repairs: RowRepairs }> {
  const sheets = await sheetsOf(file);
  const { descriptions, repairs } = repairRows(sheets);
  if (descriptions.size === 0) throw new ImportFault(`${file} contains no codes.`);
  return { list: { source: { file: basename(file), importedAt }, descriptions }, repairs };
}

async function sheetsOf(file: string): Promise<SheetRows[]> {
  const sheets = await readSheets(readFileSync(file), { trim: false }).catch((cause: unknown) => {
    throw new ImportFault(`${file} is not a spreadsheet (.xlsx).`, { cause });
  });
  const known = sheets.flatMap(({ data: [head, ...rows] }): SheetRows[] => {
    const title = String(head?.[0] ?? '').toUpperCase();
    const pairs = rows.map((row) => [row[0], row[1]] as const);
    if (title.startsWith('HSN')) return [{ kind: 'goods', rows: pairs }];
    return title.startsWith('SAC') ? [{ kind: 'services', rows: pairs }] : [];
  });
  if (known.length === 0) {
    throw new ImportFault(`${file} has no sheet that begins with HSN_CD or SAC_CD: is it the list of the GST portal?`);
  }
  return known;
}

const sentences: [keyof RowRepairs, string][] = [
  ['zeroPutBack', 'codes had lost their leading zero'],
  ['signsRemoved', 'codes contained spaces or punctuation'],
  ['lineEndsRemoved', 'descriptions contained line ends or _x000D_'],
  ['doubled', 'codes were duplicates (the longer description was kept)'],
  ['withoutDescription', 'codes have no description'],
  ['skipped', 'rows without a code were skipped'],
];

/** What was imported and repaired, in lines for the operator. */
export function reportOf({ descriptions }: OfficialList, repairs: RowRepairs): string[] {
  const services = [...descriptions.keys()].filter((code) => code.startsWith('99')).length;
  return [
    `${descriptions.size - services} codes of goods (HSN), ${services} of services (SAC).`,
    ...sentences.flatMap(([what, sentence]) => {
      const codes = repairs[what];
      const shown = codes.slice(0, 5).join(', ') + (codes.length > 5 ? ', …' : '');
      return codes.length === 0 ? [] : [`  ${codes.length} ${sentence}: ${shown}`];
    }),
  ];
}
