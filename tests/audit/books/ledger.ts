import { z } from 'zod';
import type { World } from '#tests/audit/world/world.ts';
import type { LedgerBook, PaymentMoney } from './books.ts';

const lineRow = z.object({ payment_id: z.string(), kind: z.string(), paise: z.number() });
const balanceRow = z.object({ account: z.string(), paise: z.number() });
const entryRow = z.object({ id: z.string() });

/** Money that came in by captures, and money that was due and went out. */
const movements = `
  select e.payment_id, e.kind, l.amount_paise as paise from ledger_entries e join ledger_lines l on l.entry_id = e.id
  where e.kind like 'CAPTURED_%' and l.account in ('provider', 'bank') or e.kind = 'REFUND_PAID' and l.account = 'refunds'`;

export async function readLedger(world: World): Promise<LedgerBook> {
  const payments = new Map<string, PaymentMoney>();
  for (const { payment_id: id, kind, paise } of await world.rows(lineRow, movements)) {
    const known = payments.get(id) ?? { captured: 0, refunded: 0 };
    if (kind.startsWith('CAPTURED_')) known.captured += paise;
    else known.refunded += paise;
    payments.set(id, known);
  }
  const balances = await world.rows(
    balanceRow,
    'select account, sum(amount_paise)::bigint as paise from ledger_lines group by account',
  );
  const owing = (account: string) => -(balances.find((row) => row.account === account)?.paise ?? 0);
  const uneven = await world.rows(
    entryRow,
    `select e.id from ledger_entries e left join ledger_lines l on l.entry_id = e.id
     group by e.id having coalesce(sum(l.amount_paise), 1) <> 0`,
  );
  const check = await world.octroi('verify-ledger');
  return {
    payments,
    // Adding 0 turns the -0 of an empty account into 0.
    kept: owing('cycles') + 0,
    owed: owing('refunds') + 0,
    tds: 0 - owing('tds'),
    receivable: 0 - owing('receivables'),
    badDebt: 0 - owing('bad_debts'),
    faults: [
      ...uneven.map(({ id }) => `entry ${id} does not add up to zero`),
      ...(check.code === 0 ? [] : [`verify-ledger: ${check.output.trim()}`]),
    ],
  };
}
