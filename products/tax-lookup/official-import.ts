import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import readSheets from 'read-excel-file/node';
import { fileReason } from '#shared/platform/file-reason.ts';
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

/** The list has 0.7 MB; each MB of a spreadsheet takes 150 of memory. */
const maxBytes = 3_000_000;

function contentOf(file: string): Buffer {
  try {
    if (statSync(file).size <= maxBytes) return readFileSync(file);
  } catch (cause) {
    throw new ImportFault(`${file} can't be read: ${fileReason(cause)}.`, { cause });
  }
  throw new ImportFault(`${file} is larger than ${maxBytes / 1_000_000} MB: is it the list of the GST portal?`);
}

async function sheetsOf(file: string): Promise<SheetRows[]> {
  const sheets = await readSheets(contentOf(file), { trim: false }).catch((cause: unknown) => {
    if (cause instanceof ImportFault) throw cause;
    throw new ImportFault(`${file} can't be read as a spreadsheet (.xlsx). Download it from the GST portal again.`, {
      cause,
    });
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
