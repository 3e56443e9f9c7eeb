import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Amounts, paise, plus } from '#tests/audit/sums/arithmetic.ts';
import type { PaperKind } from '#tests/audit/sums/papers.ts';
import { emptyReturn, type ReturnSums, type TableName } from '#tests/audit/sums/return.ts';
import type { World } from '#tests/audit/world/world.ts';
import type { ReturnBook } from './books.ts';

const monthRow = z.object({ month: z.string() });

const months = `
  select distinct to_char(day, 'YYYY-MM') as month
  from (select issued_on as day from documents union all select amended_on from amendments) days`;

/** Runs the operator's command for each month with documents, and reads the files with all documents. */
export async function readReturns(world: World): Promise<ReturnBook> {
  const found = await world.rows(monthRow, months);
  const book: ReturnBook = { months: new Map(), faults: [] };
  const folder = mkdtempSync(join(tmpdir(), 'octroi-audit-gstr1-'));
  try {
    for (const { month } of found) {
      const target = join(folder, month);
      const { code, output } = await world.octroi('gstr1', month, target);
      if (code !== 0) book.faults.push(`gstr1 ${month}: ${output.trim()}`);
      const summary = join(folder, `${month}-3b`);
      const made = await world.octroi('gstr3b', month, summary);
      if (made.code !== 0) book.faults.push(`gstr3b ${month}: ${made.output.trim()}`);
      for (const gstin of readdirSync(target)) {
        const sums = sumsOf(readJson(join(target, gstin, 'gstr1-all.json')));
        book.months.set(month, { ...sums, outward: outwardOf(readJson(join(summary, gstin, 'gstr3b.json'))) });
      }
    }
    return book;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const money = z.number().default(0);
const taxed = { txval: money, iamt: money, camt: money, samt: money };
const item = z.object({ itm_det: z.object(taxed) });
const items = z.array(item);
const advance = z.object({ ad_amt: money, iamt: money, camt: money, samt: money });
const advances = z.array(z.object({ itms: z.array(advance) })).default([]);
const codes = z.array(z.object(taxed)).default([]);
const noCodes = { hsn_b2b: [], hsn_b2c: [] };

/** The file with all documents, as the audit reads it by itself. */
const fileSchema = z.object({
  b2b: z.array(z.object({ inv: z.array(z.object({ itms: items })) })).default([]),
  b2ba: z.array(z.object({ inv: z.array(z.object({ itms: items })) })).default([]),
  b2cl: z.array(z.object({ inv: z.array(z.object({ itms: items })) })).default([]),
  b2cs: z.array(z.object(taxed)).default([]),
  exp: z.array(z.object({ inv: z.array(z.object({ itms: z.array(z.object(taxed)) })) })).default([]),
  cdnr: z.array(z.object({ nt: z.array(z.object({ itms: items })) })).default([]),
  cdnra: z.array(z.object({ nt: z.array(z.object({ itms: items })) })).default([]),
  cdnur: z.array(z.object({ itms: items })).default([]),
  nil: z.object({ inv: z.array(z.object({ nil_amt: money, expt_amt: money, ngsup_amt: money })) }).default({ inv: [] }),
  at: advances,
  txpd: advances,
  hsn: z.object({ hsn_b2b: codes, hsn_b2c: codes }).default(noCodes),
  doc_issue: z
    .object({
      doc_det: z.array(z.object({ doc_num: z.int(), docs: z.array(z.object({ totnum: z.int(), cancel: z.int() })) })),
    })
    .default({ doc_det: [] }),
});

const summarySchema = z.object({
  sup_details: z.object({ osup_det: z.object(taxed), osup_zero: z.object(taxed), osup_nil_exmp: z.object(taxed) }),
});

/** Table 3.1 of GSTR-3B. */
function outwardOf(content: unknown): ReturnSums['outward'] {
  const { osup_det: taxable, osup_zero: zeroRated, osup_nil_exmp: exempt } = summarySchema.parse(content).sup_details;
  return { taxable: amountsOf(taxable), zeroRated: amountsOf(zeroRated), exempt: amountsOf(exempt) };
}

/** Table 13's numbers for the natures of documents. */
const natures: Record<number, PaperKind> = {
  1: 'INVOICE',
  5: 'CREDIT_NOTE',
  6: 'RECEIPT_VOUCHER',
  8: 'REFUND_VOUCHER',
};

interface Taxed {
  txval: number;
  iamt: number;
  camt: number;
  samt: number;
}

const amountsOf = ({ txval, iamt, camt, samt }: Taxed): Amounts => ({
  taxable: paise(txval),
  igst: paise(iamt),
  cgst: paise(camt),
  sgst: paise(samt),
});

const details = (rows: z.output<typeof items>) => rows.map((row) => row.itm_det);
const advancesOf = (rows: z.output<typeof advances>) =>
  rows.flatMap(({ itms }) => itms.map(({ ad_amt, ...taxes }) => ({ ...taxes, txval: ad_amt })));

/** The sums of a file for upload. */
export function sumsOf(content: unknown): ReturnSums {
  const file = fileSchema.parse(content);
  const sums = emptyReturn();
  const add = (table: TableName, rows: readonly Taxed[]) => {
    for (const row of rows) sums.tables[table] = plus(sums.tables[table], amountsOf(row));
  };
  add('b2b', details(file.b2b.flatMap(({ inv }) => inv.flatMap(({ itms }) => itms))));
  add('b2cl', details(file.b2cl.flatMap(({ inv }) => inv.flatMap(({ itms }) => itms))));
  add('b2cs', file.b2cs);
  add(
    'exp',
    file.exp.flatMap(({ inv }) => inv.flatMap(({ itms }) => itms)),
  );
  add('cdnr', details(file.cdnr.flatMap(({ nt }) => nt.flatMap(({ itms }) => itms))));
  add('b2ba', details(file.b2ba.flatMap(({ inv }) => inv.flatMap(({ itms }) => itms))));
  add('cdnra', details(file.cdnra.flatMap(({ nt }) => nt.flatMap(({ itms }) => itms))));
  add('cdnur', details(file.cdnur.flatMap(({ itms }) => itms)));
  const untaxed = { iamt: 0, camt: 0, samt: 0 };
  add(
    'nil',
    file.nil.inv.map((row) => ({ ...untaxed, txval: row.nil_amt + row.expt_amt + row.ngsup_amt })),
  );
  add('at', advancesOf(file.at));
  add('txpd', advancesOf(file.txpd));
  add('hsn_b2b', file.hsn.hsn_b2b);
  add('hsn_b2c', file.hsn.hsn_b2c);
  for (const { doc_num: nature, docs } of file.doc_issue.doc_det) {
    const kind = natures[nature];
    if (kind === undefined) throw new Error(`table 13 has nature ${nature}, which the audit does not know`);
    for (const { totnum, cancel } of docs) {
      sums.issued[kind].count += totnum;
      sums.issued[kind].cancelled += cancel;
    }
  }
  return sums;
}
