import { captureEntry, ids } from './test-attacks.ts';

/** Direct statements against the ledger, with the error that refuses each. */
export const ledgerAttacks: [string, () => string[], RegExp][] = [
  // The ledger is append-only.
  ['an entry is deleted', () => ['delete from ledger_lines', 'delete from ledger_entries'], /only added to/],
  ['an entry is changed', () => [`update ledger_entries set currency = 'USD'`], /only added to/],
  ['a line is changed', () => ['update ledger_lines set amount_paise = amount_paise * 2'], /only added to/],
  [
    'a line is added to an old entry',
    () => [`insert into ledger_lines select id, 'refunds', 5 from ledger_entries where kind = 'CAPTURED_FOR_CYCLE'`],
    /only added to/,
  ],
  ['the head is moved', () => ['update ledger_head set position = position + 1'], /follows its entries/],
  [
    'an entry sets its own position',
    () => [
      `insert into ledger_entries (id, kind, payment_id, cycle_id, customer_id, currency, posted_at, position, hash) select 'x', kind, payment_id, cycle_id, customer_id, currency, posted_at, 99, hash from ledger_entries limit 1`,
    ],
    /gives an entry its place/,
  ],
  [
    'an entry does not sum to zero',
    () => [
      captureEntry('capture:x'),
      `insert into ledger_lines values ('capture:x', 'provider', 5), ('capture:x', 'cycles', -4)`,
    ],
    /sum to 1/,
  ],
  [
    'an entry has one line',
    () => [captureEntry('capture:x'), `insert into ledger_lines values ('capture:x', 'provider', 5)`],
    /1 lines/,
  ],
  ['an event is entered twice', () => [captureEntry(`capture:${ids.payment}`)], /ledger_entries_pkey/],
];
