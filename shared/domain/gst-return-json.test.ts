import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gstReturnOf, netOf } from '#shared/domain/gst-return.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';
import { faultsOfGstr1 } from '#shared/domain/gst-return-check.ts';
import { gstr1Json } from '#shared/domain/gst-return-json.ts';
import type { Recipient } from '#shared/domain/place-of-supply.ts';
import { testDocument } from '#shared/domain/test-document.ts';

const gstin = '27ZZZCA0001A1Z4';
const recipients: Recipient[] = [
  { kind: 'registered', gstin: '29ZZZCA0001A1Z0' },
  { kind: 'registered', gstin: '27ZZZFA0003C2ZR' },
  { kind: 'unregistered', stateCode: '27' },
  { kind: 'unregistered', stateCode: '29' },
  { kind: 'overseas', underLut: true },
  { kind: 'overseas', underLut: false },
];
const kinds = ['INVOICE', 'CREDIT_NOTE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER'] as const;

const documents = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      recipient: fc.constantFrom(...recipients),
      totalPaise: fc.integer({ min: 100, max: 50_000_000 }),
      gstRateBasisPoints: fc.constantFrom(1800, 0),
      cancelled: fc.boolean(),
    }),
    { minLength: 1, maxLength: 15 },
  )
  .map((all) =>
    all.map(({ cancelled, ...given }, index): ReturnDocument => {
      const number = `${given.kind.slice(0, 1)}/26-27/${String(index).padStart(6, '0')}`;
      return { ...testDocument({ ...given, number }), cancelled, follows: null };
    }),
  );

const fileOf = (all: readonly ReturnDocument[]): unknown =>
  JSON.parse(JSON.stringify(gstr1Json(gstin, '2026-11', gstReturnOf('2026-11', all))));

test('for any documents of a month, the file for upload is valid', () => {
  fc.assert(
    fc.property(documents, (all) => {
      expect(faultsOfGstr1(fileOf(all))).toEqual([]);
    }),
  );
});

const invoiceOrNote = (
  number: string,
  recipient: Recipient,
  totalPaise = 118_000,
  kind: (typeof kinds)[number] = 'INVOICE',
) => ({
  ...testDocument({ number, recipient, totalPaise, kind }),
  cancelled: false,
  follows: null,
});

function code(rt: number, txval: number, iamt: number): object {
  const num = rt === 18 && txval === 1000 ? 2 : 1;
  const desc = 'Other on-line contents n.e.c.';
  return { num, hsn_sc: '998439', desc, uqc: 'NA', qty: 0, rt, txval, iamt, camt: 0, samt: 0, csamt: 0 };
}

test('the file has the structure and the terms of the offline tool', () => {
  const [registered, , , consumer, export_] = recipients;
  if (!registered || !consumer || !export_) throw new Error('recipients');
  expect(
    fileOf([
      invoiceOrNote('A/1', registered),
      invoiceOrNote('A/2', consumer),
      invoiceOrNote('A/3', export_, 50_000),
      invoiceOrNote('C/1', registered, 11_800, 'CREDIT_NOTE'),
      invoiceOrNote('R/1', consumer, 23_600, 'RECEIPT_VOUCHER'),
    ]),
  ).toEqual({
    gstin,
    fp: '112026',
    b2b: [
      {
        ctin: '29ZZZCA0001A1Z0',
        inv: [
          {
            inum: 'A/1',
            idt: '21-11-2026',
            val: 1180,
            pos: '29',
            rchrg: 'N',
            inv_typ: 'R',
            itms: [{ num: 1801, itm_det: { rt: 18, txval: 1000, iamt: 180, csamt: 0 } }],
          },
        ],
      },
    ],
    b2cs: [{ sply_ty: 'INTER', rt: 18, typ: 'OE', pos: '29', txval: 1000, iamt: 180, csamt: 0 }],
    exp: [
      {
        exp_typ: 'WOPAY',
        inv: [{ inum: 'A/3', idt: '21-11-2026', val: 500, itms: [{ txval: 500, rt: 0, iamt: 0, csamt: 0 }] }],
      },
    ],
    cdnr: [
      {
        ctin: '29ZZZCA0001A1Z0',
        nt: [
          {
            ntty: 'C',
            nt_num: 'C/1',
            nt_dt: '21-11-2026',
            val: 118,
            pos: '29',
            rchrg: 'N',
            inv_typ: 'R',
            itms: [{ num: 1801, itm_det: { rt: 18, txval: 100, iamt: 18, csamt: 0 } }],
          },
        ],
      },
    ],
    at: [{ pos: '29', sply_ty: 'INTER', itms: [{ rt: 18, ad_amt: 200, iamt: 36, csamt: 0 }] }],
    hsn: {
      hsn_b2b: [code(18, 900, 162)],
      // Exports are listed with the consumers.
      hsn_b2c: [code(0, 500, 0), code(18, 1000, 180)],
    },
    doc_issue: {
      doc_det: [
        { doc_num: 1, docs: [{ num: 1, from: 'A/1', to: 'A/3', totnum: 3, cancel: 0, net_issue: 3 }] },
        { doc_num: 5, docs: [{ num: 1, from: 'C/1', to: 'C/1', totnum: 1, cancel: 0, net_issue: 1 }] },
        { doc_num: 6, docs: [{ num: 1, from: 'R/1', to: 'R/1', totnum: 1, cancel: 0, net_issue: 1 }] },
      ],
    },
  });
});

/** Every number and every text in a file, with a way to change it. */
function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, child]) => leavesOf(child, [...path, name]));
}

function changed(file: unknown, [name = '', ...rest]: string[]): unknown {
  if (typeof file === 'number') return file + 10;
  if (typeof file === 'string') return `${file}?`;
  if (typeof file !== 'object' || file === null) return file;
  const of = (key: string, child: unknown): unknown => (key === name ? changed(child, rest) : child);
  if (Array.isArray(file)) return file.map((child, index) => of(String(index), child));
  return Object.fromEntries(Object.entries(file).map(([key, child]) => [key, of(key, child)]));
}

/** Fields in which a wrong value looks like a right one: free text, and row numbers. */
const free = new Set(['num', 'desc', 'typ', 'ntty', 'from', 'to', 'csamt']);

test('detects a change of any amount, rate, date, place, party or count in a file', () => {
  fc.assert(
    fc.property(documents, fc.nat(), (issued, pick) => {
      // Notes may bring a row close to zero, where a rate can't be distinguished from its rounding.
      const all = issued.filter(({ kind, content }) => kind === 'INVOICE' && content.split.totalPaise > 100_000);
      fc.pre(all.length > 0);
      const file = fileOf(all);
      const leaves = leavesOf(file).filter((path) => !free.has(path.at(-1) ?? ''));
      const path = leaves[pick % leaves.length] ?? [];
      // More issued documents than in the tables are allowed: small sales to consumers share one row.
      fc.pre(!['totnum', 'cancel', 'net_issue', 'inum', 'nt_num'].includes(path.at(-1) ?? ''));
      expect([path, faultsOfGstr1(changed(file, path))]).not.toEqual([path, []]);
    }),
  );
});

const amendedInvoice = (number: string, kind: 'INVOICE' | 'CREDIT_NOTE', issuedOn = '2026-09-30') => {
  const document = testDocument({
    number,
    kind,
    issuedOn,
    recipient: { kind: 'registered', gstin: '29ZZZCA0002A1ZZ' },
  });
  const original = testDocument({ recipient: { kind: 'registered', gstin: '29ZZZCA0001A1Z0' } }).content;
  return { ...document, original, cancelled: false, follows: null };
};
const amendedFile = (...amended: ReturnType<typeof amendedInvoice>[]): unknown =>
  JSON.parse(JSON.stringify(gstr1Json(gstin, '2026-11', gstReturnOf('2026-11', [], amended))));

test('amended invoices and notes are in tables 9A and 9C with their original number and date, outside every total', () => {
  const item = { num: 1801, itm_det: { rt: 18, txval: 1270.34, iamt: 228.66, csamt: 0 } };
  const same = { val: 1499, pos: '29', rchrg: 'N', inv_typ: 'R', itms: [item] };
  const dates = { oidt: '30-09-2026', idt: '30-09-2026' };
  const noteDates = { ont_dt: '30-09-2026', nt_dt: '30-09-2026' };
  const file = amendedFile(amendedInvoice('A/1', 'INVOICE'), amendedInvoice('C/1', 'CREDIT_NOTE'));
  expect(file).toEqual({
    gstin,
    fp: '112026',
    b2ba: [{ ctin: '29ZZZCA0002A1ZZ', inv: [{ oinum: 'A/1', inum: 'A/1', ...dates, ...same }] }],
    cdnra: [{ ctin: '29ZZZCA0002A1ZZ', nt: [{ ont_num: 'C/1', nt_num: 'C/1', ntty: 'C', ...noteDates, ...same }] }],
  });
  expect(faultsOfGstr1(file)).toEqual([]);
});

test('an amendment in its own month, too late, or of one invoice twice is a fault', () => {
  const late = amendedFile(amendedInvoice('A/1', 'INVOICE', '2025-03-31'));
  expect(faultsOfGstr1(late)).toEqual(['b2ba: A/1: too late, after November 2025']);
  const twice = amendedFile(amendedInvoice('A/1', 'INVOICE'), amendedInvoice('A/1', 'INVOICE'));
  expect(faultsOfGstr1(twice)).toEqual(['b2ba: A/1 is amended twice in the file']);
  expect(() => amendedFile(amendedInvoice('A/1', 'INVOICE', '2026-11-01'))).toThrow(/not of a month before/);
});

test('the liability of a return is the total of its file', () => {
  fc.assert(
    fc.property(documents, (all) => {
      const net = netOf(
        gstReturnOf(
          '2026-11',
          all.filter(({ kind }) => kind !== 'REFUND_VOUCHER'),
        ),
      );
      const sum = (value: unknown, of: string): number => {
        if (typeof value !== 'object' || value === null) return 0;
        return Object.entries(value).reduce((total, [name, child]) => {
          if (name === 'hsn') return total;
          const sign = name === 'cdnr' || name === 'cdnur' || name === 'txpd' ? -1 : 1;
          return total + sign * (name === of ? Math.round(Number(child) * 100) : sum(child, of));
        }, 0);
      };
      const file = fileOf(all.filter(({ kind }) => kind !== 'REFUND_VOUCHER'));
      expect([sum(file, 'iamt'), sum(file, 'camt'), sum(file, 'samt')]).toEqual([
        net.igstPaise,
        net.cgstPaise,
        net.sgstPaise,
      ]);
    }),
  );
});
