import { copyDocuments } from '#server/test/copied-document.ts';
import { ids } from './test-attacks.ts';

const nextNumber = `insert into document_series select series, financial_year, 1, last_issued_at from document_series limit 1
  on conflict (series, financial_year) do update set last_number = document_series.last_number + 1`;

/** A copy of the document of the paid cycle, with another id and other changes. */
const copyDocument = (change: string): string =>
  copyDocuments(`jsonb_build_object('id', 'DOC-X') || ${change}`, `d.cycle_id = '${ids.paid}'`);

const numbered = (
  ahead: number,
): string => `(select jsonb_build_object('number', regexp_replace(d.number, '\\d{6}$', lpad((s.last_number + ${ahead})::text, 6, '0')),
  'sequence', s.last_number + ${ahead}, 'issued_at', s.last_issued_at) from document_series s where s.series = d.series and s.financial_year = d.financial_year)`;

/** Attacks that would leave a gap in the numbers, use one twice, or issue a document over money that was not paid. */
export const documentAttacks: [string, () => string[], RegExp][] = [
  ['a number is skipped', () => [nextNumber, copyDocument(numbered(1))], /next number of its series/],
  [
    'a number is used twice',
    () => [copyDocument(`'{}'`)],
    /documents_number_key|next number|documents_pkey|begin_once/,
  ],
  [
    'a document has the number of another series',
    () => [
      nextNumber,
      copyDocument(`${numbered(0)} || jsonb_build_object('number', regexp_replace(d.number, '/\\d', '/A'))`),
    ],
    /does not have the number of its place/,
  ],
  [
    'a series begins before the previous one is full',
    () => [
      `insert into document_series select 'INVOICE A', financial_year, 1, last_issued_at from document_series limit 1`,
    ],
    /begins before the one in front of it is full/,
  ],
  ['a number is taken and not used', () => [nextNumber], /taken and not used/],
  ['a series is set back', () => ['update document_series set last_number = last_number - 1'], /counts up by one/],
  ['a document is deleted', () => ['delete from documents'], /never changed or deleted/],
  ['a document is changed', () => ['update documents set total_paise = total_paise + 1'], /never changed or deleted/],
  [
    'an invoice names a payment that pays for no cycle',
    () => [
      nextNumber,
      copyDocument(
        `${numbered(0)} || jsonb_build_object('cycle_id', '${ids.removed}', 'payment_id', '${ids.refunded}')`,
      ),
    ],
    /money that did not pay/,
  ],
  ['a cycle has a second invoice', () => [nextNumber, copyDocument(numbered(0))], /documents_begin_once/],
];
